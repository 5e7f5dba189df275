package auditreport

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/auditlog/tally"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Rules are the IDs of the rules that a report has findings of.
func Rules() []string {
	ids := []string{"deprecatedapi", "removedapi", "fieldmanager"}
	for _, c := range checks.All() {
		if !slices.Contains(ofRequests, c.Rule) {
			ids = append(ids, c.Rule)
		}
	}
	return ids
}

// ofRequests are the rules that requests are judged by themselves: the API that
// a client asks for is that of the body.
var ofRequests = []string{"removedapi", "deprecatedapi", "disabledapi", "futureapi"}

// BodyJudge makes the linter judge the bodies of requests. Few of them hold
// what a check looks for, so that most are let pass by a search for words.
func BodyJudge(target lifecycle.Target) *tally.Judge {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	list := slices.DeleteFunc(checks.All(), func(c manifestlint.Check) bool { return slices.Contains(ofRequests, c.Rule) })
	linter := manifestlint.New(manifestlint.Options{
		Target: target, Checks: list, Severity: severity,
		Enabled: func(string) bool { return false }, // the server wrote the body: its syntax is right
	})
	judge := &tally.Judge{Body: func(body []byte) []rules.Finding {
		found, _ := linter.Bytes("-", body)
		return found
	}}
	for _, c := range list {
		if c.Body == nil || c.Triggers == nil {
			continue
		}
		lists := c.Triggers(target)
		if len(lists) == 0 {
			continue
		}
		// A body must have a key of each list: the shortest is looked for.
		words := slices.MinFunc(lists, func(a, b []manifestlint.Trigger) int { return len(a) - len(b) })
		for _, t := range words {
			judge.Words = append(judge.Words, []byte(`"`+t.Key+`"`))
		}
	}
	return judge
}
