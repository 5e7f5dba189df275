package podsecurity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func parse(t testing.TB, text []byte) *wire.Value {
	t.Helper()
	v, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// stored are the objects that exist in the recorded cluster.
type stored struct {
	namespaces map[string]*wire.Value
	pods       []*wire.Value
}

// TestRecordedAnswers compares the answers about pod security with recorded
// answers of servers.
func TestRecordedAnswers(t *testing.T) {
	in := stored{namespaces: map[string]*wire.Value{}}
	for _, c := range recorded.Lines[recorded.Case](t, "testdata/cases.jsonl.gz") {
		if !strings.HasPrefix(c.ID, "setup/") {
			continue
		}
		switch obj := parse(t, c.Obj); obj.Get("kind").StringOr("") {
		case "Namespace":
			in.namespaces[obj.At("metadata", "name").StringOr("")] = obj
		case "Pod":
			// The recorder created a second pod that differs only in its version.
			in.pods = append(in.pods, obj, parse(t, []byte(strings.Replace(string(c.Obj), `"v2"`, `"v1"`, 1))))
		}
	}
	set := recorded.Load(t, "testdata/cases.jsonl.gz", "testdata/answers-*.jsonl.gz")
	set.Each(t, func(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) (string, bool) {
		r := apiserver.Request{New: parse(t, c.Obj)}
		r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
		if c.Op == "merge" {
			r.Old = in.namespaces[r.New.At("metadata", "name").StringOr("")]
		}
		if a.Code == 422 && !strings.Contains(a.Message, "pod-security") {
			return "", false // the server refused the object before Pod Security Admission
		}
		return cmp.Diff(expected(a), in.answer(s, r, a.Code)), true
	})
}

// expected returns the warnings and errors of an answer about pod security.
func expected(a recorded.Answer) (texts []string) {
	for _, text := range a.WarningTexts() {
		if strings.Contains(text, "PodSecurity") || strings.Contains(text, "host namespaces") {
			texts = append(texts, text)
		}
	}
	for _, c := range a.Causes {
		texts = append(texts, c.Field+": "+c.Message)
	}
	if len(a.Causes) == 0 && a.Message != "" {
		texts = append(texts, a.Message)
	}
	return texts
}

func (in stored) answer(s apiserver.Server, r apiserver.Request, code int) (texts []string) {
	var labels map[string]string
	if namespace := in.namespaces[r.New.At("metadata", "namespace").StringOr("")]; namespace != nil {
		labels = labelsOf(namespace)
	}
	a := Check(s, labels, r)
	if r.Old != nil {
		a.Warnings = append(a.Warnings, NamespaceUpdate(s, r, in.pods)...)
	}
	for _, w := range a.Warnings {
		texts = append(texts, w.Text)
	}
	for _, c := range a.Causes {
		if c.Code != code {
			texts = append(texts, fmt.Sprintf("code %d, not %d", c.Code, code))
		}
		if c.Field != "" {
			c.Text = c.Field + ": " + c.Text
		}
		texts = append(texts, c.Text)
	}
	return texts
}
