package auditreport

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/auditlog/tally"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Rules returns the IDs of the rules that a report may have findings of.
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

// ofRequests are rules that check requests themselves: the API of a request is that
// of its body.
var ofRequests = []string{"removedapi", "deprecatedapi", "disabledapi", "futureapi"}

// BodyJudge returns a function that lints the bodies of requests. It searches for
// words first, since few bodies contain what a check looks for.
func BodyJudge(target lifecycle.Target) *tally.Judge {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	list := slices.DeleteFunc(checks.Audit(), func(c manifestlint.Check) bool { return slices.Contains(ofRequests, c.Rule) && c.Body == nil })
	for i := range list {
		if slices.Contains(ofRequests, list[i].Rule) {
			list[i].Head = nil // references to other objects are not checked
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
		// A body must have a key of each list. Only one list is searched, preferably
		// one of keys that have meaning with any value: every body has the others.
		words := slices.MinFunc(lists, func(a, b []manifestlint.Trigger) int {
			return cmp.Or(conditional(a)-conditional(b), len(a)-len(b))
		})
		for _, t := range words {
			judge.Words = add(judge.Words, rare(t.Key))
		}
	}
	return judge
}

// rare returns the suffix of a key, as in JSON, that starts with the least frequent
// byte. The search is faster the rarer its first byte is.
func rare(key string) []byte {
	word := []byte(`"` + key + `"`)
	i := bytes.IndexAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ/")
	if i < 0 {
		i = bytes.IndexAny(word, "zqxjkwvy")
	}
	// This key of the event is between the bodies.
	if i < 0 || len(word)-i < 4 || bytes.HasSuffix([]byte(`"responseObject"`), word[i:]) {
		return word
	}
	return word[i:]
}

// add adds a word to the search, unless the search finds it through another word.
func add(words [][]byte, w []byte) [][]byte {
	if slices.ContainsFunc(words, func(x []byte) bool { return bytes.Contains(w, x) }) {
		return words
	}
	return append(slices.DeleteFunc(words, func(x []byte) bool { return bytes.Contains(x, w) }), w)
}

// triggered reports whether a body, as JSON without white space, has a trigger of
// each list.
func triggered(body []byte, lists [][]manifestlint.Trigger) bool {
	for _, list := range lists {
		if !slices.ContainsFunc(list, func(t manifestlint.Trigger) bool { return has(body, t) }) {
			return false
		}
	}
	return true
}

// has reports whether a body has a trigger's key with one of its values.
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

// maxValue is longer than any value of a trigger.
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
