package webhook

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// recordedCase is a request that was sent to real servers.
type recordedCase struct {
	File, ID string
	Obj      json.RawMessage
	Query    *string // nil: a dry-run
}

// recordedAnswer is what one server answered. Answers are in the order of the
// cases, since some IDs are there twice.
type recordedAnswer struct {
	File, ID string
	Code     int
	Message  string
	Causes   []struct{ Field, Message string }
}

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	var all []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		all = append(all, one)
	}
	return all
}

// TestRecordedAnswers holds what validation says of configurations, and what is
// said of dry-runs that meet the webhooks that were set up before, to what real
// servers answered.
func TestRecordedAnswers(t *testing.T) {
	cases := readLines[recordedCase](t, "testdata/cases.jsonl.gz")
	files, _ := filepath.Glob("testdata/answers-*.jsonl.gz")
	if len(files) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "answers-"), ".jsonl.gz")
		t.Run(name, func(t *testing.T) {
			answers := readLines[recordedAnswer](t, file)
			if len(answers) != len(cases) {
				t.Fatalf("%d answers to %d cases", len(answers), len(cases))
			}
			version, _, _ := strings.Cut(name, "-")
			minor, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
			if err != nil {
				t.Fatal(err)
			}
			equal, compared := replay(t, apiserver.Server{Minor: lifecycleMinor(minor)}, cases, func(i int) (recordedAnswer, bool) { return answers[i], true })
			t.Logf("%d of %d equal", equal, compared)
		})
	}
}

// TestReplay121 sends the cases to a 1.21, which serves v1beta1. Its answers to
// the dry-runs are told by the IDs: a server refuses those whose webhook says
// anything but NoneOnDryRun; se=None there means that it says nothing.
func TestReplay121(t *testing.T) {
	cases := readLines[recordedCase](t, "testdata/cases.jsonl.gz")
	refused := 0
	replay(t, apiserver.Server{Minor: 21}, cases, func(i int) (recordedAnswer, bool) {
		c := cases[i]
		a := recordedAnswer{File: c.File, ID: c.ID, Code: 201}
		if c.File != "webhook-2call" || c.Query != nil {
			return a, false
		}
		parts := strings.Split(c.ID, "/")
		if strings.Contains(c.ID, "/v1beta1/") && !strings.Contains(c.ID, "se=NoneOnDryRun") {
			refused++
			a.Code = 400
			a.Message = fmt.Sprintf("admission webhook %q does not support dry run", parts[len(parts)-2]+".oracle.example.com")
		}
		return a, true
	})
	if refused == 0 {
		t.Error("no case is refused")
	}
}

// replay gives the number of cases that are answered as the server did, and of
// those that were compared. What
// other reasons a server had to refuse a request is passed over.
func replay(t *testing.T, s apiserver.Server, cases []recordedCase, answer func(i int) (recordedAnswer, bool)) (equal, compared int) {
	var there []*Configuration
	for i, c := range cases {
		a, known := answer(i)
		if a.ID != c.ID {
			t.Fatalf("answer %s to case %s", a.ID, c.ID)
		}
		obj, err := wire.JSON(c.Obj)
		if err != nil {
			t.Fatal(err)
		}
		r := apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj}
		var want, got []string
		if known {
			for _, cause := range a.Causes {
				if cause.Field != "" { // not what a webhook or a policy answers
					want = append(want, cause.Field+": "+cause.Message)
				}
			}
			if strings.HasSuffix(a.Message, "does not support dry run") {
				want = append(want, a.Message)
			}
		}
		if r.Kind == "ValidatingAdmissionPolicyBinding" {
			continue // admission by policies is not told
		}
		compared++
		if config := Read(r.APIVersion, r.Kind, obj); config != nil && a.Code != 404 {
			for _, cause := range validation.Causes(s, r) {
				got = append(got, cause.Field+": "+cause.Text)
			}
			if c.Query != nil && config.Exists(s, nil) {
				there = append(there, config)
			}
			if known && a.Code == 201 && !config.Exists(s, nil) {
				t.Errorf("%s: the server accepts it", c.ID)
			}
		} else if c.Query == nil {
			if refusal := NewHooks(there).DryRun(NewObject(s, r, Cluster{})); refusal != nil {
				got = append(got, refusal.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" && known {
			t.Errorf("%s (-server +verdict):\n%s", c.ID, diff)
		} else {
			equal++
		}
	}
	return equal, compared
}
