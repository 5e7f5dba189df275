package validation

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
)

// expected returns the causes of an answer without repetitions.
func expected(a recorded.Answer) (causes []recorded.Cause) {
	if a.Code != http.StatusUnprocessableEntity {
		return nil
	}
	seen := map[recorded.Cause]bool{}
	for _, c := range a.Causes {
		if !seen[c] {
			seen[c] = true
			causes = append(causes, c)
		}
	}
	return causes
}

// causesOf returns kubevet's causes in the form of recorded causes. An inexact
// cause gets the server's text about its field. ok is false if the object does
// not decode.
func causesOf(s apiserver.Server, c recorded.Case, want []recorded.Cause) (all []recorded.Cause, ok bool) {
	r, ok := c.Request()
	if !ok {
		return nil, false
	}
	r.Body, r.Duplicates = nil, nil
	if len(schema.Decode(s, r).Causes) > 0 {
		return nil, false
	}
	taken := map[recorded.Cause]bool{}
	for _, c := range Causes(s, r) {
		cause := recorded.Cause{Field: c.Field, Message: c.Text}
		if c.Inexact {
			for _, w := range want {
				if w.Field == c.Field && !taken[w] {
					cause = w
					break
				}
			}
		}
		taken[cause] = true
		all = append(all, cause)
	}
	return all, true
}

// TestRecordedAnswers compares the causes with recorded causes of servers, in
// order.
func TestRecordedAnswers(t *testing.T) {
	set := recorded.Load(t, "testdata/recorded.jsonl.gz", "testdata/recorded-*.jsonl.gz")
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		want := expected(a)
		got, ok := causesOf(s, c, want)
		if !ok {
			return "", false
		}
		return cmp.Diff(want, got), true
	})
}

// TestGeneratedAnswers compares the causes for random objects with those of the
// releases' code. It ignores the order, because that code ranges over maps. A few
// differences are accepted.
func TestGeneratedAnswers(t *testing.T) {
	cases := recorded.Lines[recorded.Case](t, "testdata/generated.jsonl.gz")
	recorded.Servers(t, "testdata/generated-*.jsonl.gz", func(t *testing.T, s apiserver.Server, list []recorded.Answer) {
		answers := map[string]recorded.Answer{}
		for _, a := range list {
			answers[a.ID] = a
		}
		n, verdicts, texts := 0, 0, 0
		for _, c := range cases {
			a, ok := answers[c.ID]
			if !ok {
				continue
			}
			want := expected(a)
			got, ok := causesOf(s, c, want)
			if !ok {
				continue
			}
			n++
			if (len(got) == 0) != (len(want) == 0) {
				verdicts++
				t.Logf("%s: got %v, want %v", c.ID, got, want)
			} else if missing, extra := difference(want, got); len(missing)+len(extra) > 0 {
				texts++
				t.Logf("%s: missing %v, too much %v", c.ID, missing, extra)
			}
		}
		t.Logf("%d objects, %d verdicts and %d texts are wrong", n, verdicts, texts)
		if n < 1000 || verdicts*200 > n || texts*100 > n {
			t.Errorf("of %d objects, %d verdicts and %d texts are wrong", n, verdicts, texts)
		}
	})
}

// difference returns the causes that are only in a and those that are only in b.
func difference(a, b []recorded.Cause) (onlyA, onlyB []recorded.Cause) {
	count := map[recorded.Cause]int{}
	for _, c := range b {
		count[c]++
	}
	for _, c := range a {
		if count[c]--; count[c] < 0 {
			onlyA = append(onlyA, c)
		}
	}
	for _, c := range b {
		if count[c] > 0 {
			count[c]--
			onlyB = append(onlyB, c)
		}
	}
	return onlyA, onlyB
}
