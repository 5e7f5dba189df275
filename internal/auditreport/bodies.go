package auditreport

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Rules are the IDs of the rules that a report has findings of.
func Rules() []string {
	ids := []string{"deprecatedapi", "removedapi", "fieldmanager", "fieldfight", "selfflap", "managerleftover"}
	for _, c := range checks.Audit() {
		for _, rule := range c.Rules() {
			if !slices.Contains(ofRequests, rule) {
				ids = append(ids, rule)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
	list := slices.DeleteFunc(checks.Audit(), func(c manifestlint.Check) bool { return slices.Contains(ofRequests, c.Rule) && c.Body == nil })
	for i := range list {
		if slices.Contains(ofRequests, list[i].Rule) {
			list[i].Head = nil // what the body refers to is another matter
		}
	}
	linter := manifestlint.New(manifestlint.Options{
		Target: target, Checks: list, Severity: severity,
		Enabled: func(rule string) bool { return !slices.Contains(manifestlint.OwnRules(), rule) }, // the server wrote the body: its syntax is right
	})
	var triggers [][][]manifestlint.Trigger // by check
	judge := &tally.Judge{Body: func(body []byte) []rules.Finding {
		if !slices.ContainsFunc(triggers, func(lists [][]manifestlint.Trigger) bool { return triggered(body, lists) }) {
			return nil
		}
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
		triggers = append(triggers, lists)
		// A body must have a key of each list. One is looked for, rather one
		// without keys that mean something only with some values: every body
		// has those.
		words := slices.MinFunc(lists, func(a, b []manifestlint.Trigger) int {
			return cmp.Or(conditional(a)-conditional(b), len(a)-len(b))
		})
		for _, t := range words {
			judge.Words = add(judge.Words, rare(t.Key))
		}
	}
	return judge
}

// rare gives the end of a key, as it stands in JSON, from a byte on that few
// other words have: a search is the faster, the rarer its first byte is.
func rare(key string) []byte {
	word := []byte(`"` + key + `"`)
	i := bytes.IndexAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ/")
	if i < 0 {
		i = bytes.IndexAny(word, "zqxjkwvy")
	}
	// Between the bodies stands a key of the event's own.
	if i < 0 || len(word)-i < 4 || bytes.HasSuffix([]byte(`"responseObject"`), word[i:]) {
		return word
	}
	return word[i:]
}

// add adds a word to those that are looked for, unless it is found with one of
// them.
func add(words [][]byte, w []byte) [][]byte {
	if slices.ContainsFunc(words, func(x []byte) bool { return bytes.Contains(w, x) }) {
		return words
	}
	return append(slices.DeleteFunc(words, func(x []byte) bool { return bytes.Contains(x, w) }), w)
}

// triggered reports whether a body, as JSON without white space, has a trigger
// of each list.
func triggered(body []byte, lists [][]manifestlint.Trigger) bool {
	for _, list := range lists {
		if !slices.ContainsFunc(list, func(t manifestlint.Trigger) bool { return has(body, t) }) {
			return false
		}
	}
	return true
}

// has reports whether a trigger's key is in a body, with one of its values.
func has(body []byte, t manifestlint.Trigger) bool {
	key := []byte(`"` + t.Key + `":`)
	for {
		at := bytes.Index(body, key)
		if at < 0 {
			return false
		}
		body = body[at+len(key):]
		if t.Value == nil || t.Value(body[:min(len(body), maxValue)]) {
			return true
		}
	}
}

// maxValue is longer than any value that a trigger waits for.
const maxValue = 256

// conditional counts the triggers that depend on a value.
func conditional(list []manifestlint.Trigger) int {
	n := 0
	for _, t := range list {
		if t.Value != nil {
			n++
		}
	}
	return n
}
