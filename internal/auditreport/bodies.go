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

// Rules returns the IDs of all rules that may have findings in a report, sorted.
func Rules() []string {
	ids := []string{"deprecatedapi", "removedapi", "fieldmanager", "fieldfight", "selfflap", "managerleftover", policyRule}
	for _, c := range checks.Audit() {
		for _, rule := range c.Rules() {
			if !slices.Contains(requestRules, rule) {
				ids = append(ids, rule)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// requestRules has the rules that check the API of a request. They are not applied to the
// body, because it has the same API.
var requestRules = []string{"removedapi", "deprecatedapi", "disabledapi", "futureapi"}

// BodyJudge returns a check for the bodies of requests. Before it parses a body, it
// searches for words that a finding needs.
func BodyJudge(target lifecycle.Target) *tally.Judge {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	list := checks.Audit()
	linter := manifestlint.New(manifestlint.Options{
		Target: target, Checks: list, Severity: severity,
		Enabled: func(rule string) bool { return !slices.Contains(manifestlint.OwnRules(), rule) }, // OwnRules are about syntax, which is correct in a body that the server wrote
	})
	var words [][][]string // the Words of each check
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
			judge.Words = addSearchWord(judge.Words, rareSuffix(word))
		}
	}
	return judge
}

// rareSuffix returns the end of a quoted JSON key, beginning with its first rare letter:
// containerPort becomes Port". A search is faster if the first byte is rare.
func rareSuffix(key string) []byte {
	word := []byte(`"` + key + `"`)
	i := bytes.IndexAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ/")
	if i < 0 {
		i = bytes.IndexAny(word, "zqxjkwvy")
	}
	if i < 0 || len(word)-i < 4 {
		return word
	}
	return word[i:]
}

// addSearchWord adds a word. If one of two words contains the other, only the shorter
// word stays.
func addSearchWord(words [][]byte, w []byte) [][]byte {
	if slices.ContainsFunc(words, func(x []byte) bool { return bytes.Contains(w, x) }) {
		return words
	}
	return append(slices.DeleteFunc(words, func(x []byte) bool { return bytes.Contains(x, w) }), w)
}

// hasWords reports whether a body has at least one word of each list.
func hasWords(body []byte, lists [][]string) bool {
	for _, list := range lists {
		if !slices.ContainsFunc(list, func(word string) bool { return bytes.Contains(body, []byte(word)) }) {
			return false
		}
	}
	return true
}
