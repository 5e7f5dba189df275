package podwarning

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestRecordedAnswers compares the warnings with recorded warnings of servers,
// word for word and in order.
func TestRecordedAnswers(t *testing.T) {
	set := recorded.Load(t, "testdata/cases.jsonl.gz", "testdata/answers-*.jsonl.gz")
	set.AddCorpus(t)
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		r, ok := c.Request()
		if !ok || kindOf(s.Minor, r.APIVersion, r.Kind) == nil {
			return "", false
		}
		return cmp.Diff(expected(a), predictedTexts(s, r, a.Code)), true
	})
}

// expected returns the texts of an answer that this package predicts.
func expected(a recorded.Answer) []string {
	return inOrder(slices.DeleteFunc(a.WarningTexts(), isForeign))
}

// isForeign reports whether another package predicts the text.
func isForeign(text string) bool {
	for _, prefix := range []string{"unknown field ", "duplicate field ", ".metadata.ownerReferences ", "would violate PodSecurity "} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return strings.Contains(text, " is deprecated in v1.")
}

// predictedTexts returns the texts that this package predicts, as headers contain
// them. If validation refused the object, only the warnings before validation are
// sent.
func predictedTexts(s apiserver.Server, r apiserver.Request, code int) []string {
	all := Prepare(s, r)
	switch {
	case code == 422:
	case code >= 400:
		all = nil
	default:
		all = append(all, Strategy(s, r)...)
	}
	var texts []string
	for _, w := range apiserver.Headers(all) {
		texts = append(texts, w.Text)
	}
	return inOrder(texts)
}

// inOrder sorts adjacent texts about spec.nodeSelector, because their order on
// the server is random. It returns nil for an empty list.
func inOrder(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	about := func(text string) bool { return strings.Contains(text, "spec.nodeSelector[") }
	for i := 0; i < len(texts); i++ {
		n := i
		for n < len(texts) && about(texts[n]) {
			n++
		}
		slices.Sort(texts[i:n])
		i = max(i, n-1)
	}
	return texts
}
