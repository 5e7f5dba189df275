package lifecycle

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// answer is the recorded answer of a real kube-apiserver; see testdata/README.md.
type answer struct {
	ID       string
	Code     int
	Warnings []string
	Message  string
}

func readAnswers(t *testing.T, minor Minor) []answer {
	t.Helper()
	f, err := os.Open("testdata/answers-" + minor.String() + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []answer
	for dec := json.NewDecoder(z); ; {
		var a answer
		if err := dec.Decode(&a); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
}

// deprecation matches a Warning header about a deprecated API.
var deprecation = regexp.MustCompile(`^299 - "(.+ is deprecated in v1\..+)"$`)

// TestRealAnswers compares the tables with real servers: what they serve by
// default, the texts of their warnings, and their texts about missing APIs.
func TestRealAnswers(t *testing.T) {
	for _, minor := range []Minor{24, 32, 37} {
		t.Run(minor.String(), func(t *testing.T) {
			target, err := NewTarget(minor.String(), nil, []string{"api/all=true"})
			if err != nil {
				t.Fatal(err)
			}
			warned := 0
			for _, ans := range readAnswers(t, minor) {
				_, name, ok := strings.Cut(ans.ID, "/")
				if !ok {
					t.Fatalf("bad id %q", ans.ID)
				}
				a := mustLookup(t, name)
				served := a.State(minor, target) == Served
				// A 404 with this text is about a missing object, so the server
				// serves the path.
				notFound := ans.Code == http.StatusNotFound && !strings.Contains(ans.Message, `" not found`)
				if served == notFound {
					t.Errorf("%s: state %v, server answers %d %q", ans.ID, a.State(minor, target), ans.Code, ans.Message)
				}
				if notFound {
					if got := NotFoundText(a, minor, target); got != ans.Message {
						t.Errorf("%s: got %q, server says %q", ans.ID, got, ans.Message)
					}
				}
				var texts []string
				for _, w := range ans.Warnings {
					if m := deprecation.FindStringSubmatch(w); m != nil {
						texts = append(texts, m[1])
					}
				}
				want := ""
				// A server that serves the kind but not the verb does not warn.
				if served && ans.Code != http.StatusMethodNotAllowed {
					want = a.Warning(minor)
				}
				if got := strings.Join(texts, "\n"); got != want {
					t.Errorf("%s: got %q, server warns %q", ans.ID, want, got)
				}
				warned += len(texts)
			}
			if warned == 0 {
				t.Error("no answer has a warning: is the data complete?")
			}
		})
	}
}
