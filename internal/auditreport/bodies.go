package auditreport

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Rules returns the IDs of the rules that a report may have findings of.
func Rules() []string {
	ids := []string{"deprecatedapi", "removedapi", "fieldmanager", "fieldfight", "selfflap", "managerleftover", policyRule}
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

// ofRequests are rules that check requests themselves: a request and its body have the same API.
var ofRequests = []string{"removedapi", "deprecatedapi", "disabledapi", "futureapi"}

// BodyJudge returns the check of requests' bodies. It searches for words first, so that most bodies
// are skipped.
func BodyJudge(target lifecycle.Target) *tally.Judge {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	list := checks.Audit()
	linter := manifestlint.New(manifestlint.Options{
		Target: target, Checks: list, Severity: severity,
		Enabled: func(rule string) bool { return !slices.Contains(manifestlint.OwnRules(), rule) }, // the server wrote the body, so its syntax is correct
	})
	var words [][][]string // by check
	judge := &tally.Judge{Body: func(body []byte) []rules.Finding {
		if !slices.ContainsFunc(words, func(lists [][]string) bool { return hasWords(body, lists) }) {
			return nil
		}
		found, _ := linter.Bytes("-", body)
		return found
	}}
	for _, c := range list {
		lists := c.Words(target)
		words = append(words, lists)
		for _, word := range lists[0] {
			judge.Words = add(judge.Words, rare(word))
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
	// In an event, this key is between the bodies.
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

// hasWords reports whether a body has a word of each list.
func hasWords(body []byte, lists [][]string) bool {
	for _, list := range lists {
		if !slices.ContainsFunc(list, func(word string) bool { return bytes.Contains(body, []byte(word)) }) {
			return false
		}
	}
	return true
}
