package answer

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestRecordedAnswers compares kubevet's answers with recorded answers of
// servers, for objects with lifecycle hooks. Errors and warnings must be equal
// and in the same order.
func TestRecordedAnswers(t *testing.T) {
	set := recorded.Load(t, "testdata/cases.jsonl.gz", "testdata/answers-*.jsonl.gz")
	set.AddCorpus(t, "matrix-create", "multi", "odd", "update", "sts")
	set.Each(t, compare)
}

// TestRecordedAppArmor compares kubevet's answers with recorded answers for
// objects with AppArmor annotations and fields.
func TestRecordedAppArmor(t *testing.T) {
	recorded.Load(t, "testdata/apparmor/cases.jsonl.gz", "testdata/apparmor/answers-*.jsonl.gz").Each(t, compare)
}

// compare returns the difference between kubevet's answer to a case and a
// server's answer. ok is false if the case cannot be compared.
func compare(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (diff string, ok bool) {
	t.Helper()
	if a.Code == 404 {
		stored, _ := recorded.Case{Obj: c.Setup[0]}.Request()
		if Accepted(To(s, stored, Surroundings{})) {
			return "the server refused to create the stored object", true
		}
		return "", true
	}
	r, ok := c.Request()
	if !ok {
		return "the request cannot be read", false
	}
	got := To(s, r, Surroundings{})
	var warnings []string
	for _, w := range got.Warnings {
		warnings = append(warnings, w.Text)
	}
	return cmp.Diff(errorLines(a), causeLines(got, a)) + cmp.Diff(a.WarningTexts(), warnings), true
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// errorLines returns the errors of a recorded answer without repetitions.
func errorLines(a recorded.Answer) []string {
	var lines []string
	for _, c := range a.Causes {
		line := c.Field + ": " + address.ReplaceAllString(c.Message, "0x0")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(a.Causes) == 0 && a.Message != "" {
		lines = append(lines, a.Message)
	}
	return lines
}

// causeLines returns the errors of kubevet's answer in the form of errorLines. An
// inexact text is completed from the recorded answer if its known parts agree
// with the recorded text.
func causeLines(got apiserver.Answer, a recorded.Answer) []string {
	var lines []string
	for _, c := range got.Causes {
		text := c.Text
		if before, after, cut := strings.Cut(text, "…"); cut && c.Inexact {
			for _, want := range a.Causes {
				m := want.Message
				if want.Field == c.Field && len(m) >= len(before)+len(after) && strings.HasPrefix(m, before) && strings.HasSuffix(m, after) {
					text = address.ReplaceAllString(m, "0x0")
				}
			}
		}
		if c.Field != "" {
			text = c.Field + ": " + text
		}
		lines = append(lines, text)
	}
	return lines
}
