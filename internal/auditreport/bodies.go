package auditreport

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
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
func BodyJudge(target lifecycle.Target) func(body []byte) []rules.Finding {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	list := slices.DeleteFunc(checks.All(), func(c manifestlint.Check) bool { return slices.Contains(ofRequests, c.Rule) })
	linter := manifestlint.New(manifestlint.Options{
		Target: target, Checks: list, Severity: severity,
		Enabled: func(string) bool { return false }, // the server wrote the body: its syntax is right
	})
	var wanted [][][]byte // of some check, one of each list
	for _, c := range list {
		if c.Body == nil || c.Triggers == nil {
			continue
		}
		for _, words := range c.Triggers(target) {
			var keys [][]byte
			for _, t := range words {
				keys = append(keys, []byte(`"`+t.Key+`"`))
			}
			wanted = append(wanted, keys)
			break // the first list alone lets most pass
		}
	}
	return func(body []byte) []rules.Finding {
		for _, keys := range wanted {
			if slices.ContainsFunc(keys, func(k []byte) bool { return bytes.Contains(body, k) }) {
				found, _ := linter.Bytes("-", body)
				return found
			}
		}
		return nil
	}
}
