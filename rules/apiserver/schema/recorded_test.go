package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestRecordedAnswers compares Decode with recorded answers of servers to create
// and replace requests: errors of the decoder, and warnings about dropped fields.
func TestRecordedAnswers(t *testing.T) {
	set := recorded.Load(t, "../answer/testdata/cases.jsonl.gz", "../answer/testdata/answers-*.jsonl.gz")
	set.AddCorpus(t)
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		r, ok := c.Request()
		undecoded := strings.Contains(a.Message, "cannot be handled as a")
		switch {
		case !ok, c.Op == "merge", strings.Contains(a.Message, "Options.meta.k8s.io"), !Known(r.APIVersion, r.Kind, s.Minor),
			a.Code != 200 && a.Code != 201 && a.Code != 422 && !undecoded:
			return "", false
		}
		var want, got []string
		if undecoded {
			want = append(want, a.Message)
		}
		for _, text := range a.WarningTexts() {
			if strings.HasPrefix(text, "unknown field ") || strings.HasPrefix(text, "duplicate field ") {
				want = append(want, text)
			}
		}
		decoded := Decode(s, r)
		for _, c := range decoded.Causes {
			got = append(got, c.Text)
		}
		for _, w := range decoded.Warnings {
			got = append(got, w.Text)
		}
		return cmp.Diff(want, got), true
	})
}
