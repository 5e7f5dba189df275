package schema

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// recordedCase is a request that was sent to real servers.
type recordedCase struct {
	File, ID, Op, Raw, Query string
	Obj                      json.RawMessage
}

// recordedAnswer is what one server answered.
type recordedAnswer struct {
	File, ID, Message string
	Code              int
	Warnings          []string
}

// forLines calls f for each line of a compressed file of JSON lines.
func forLines[T any](t *testing.T, name string, f func(T)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		f(one)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
}

// sharedOracle is a larger collection of cases and answers, if there is one
// beside the repository.
func sharedOracle() string {
	roots := []string{os.Getenv("KUBEVET_SHARED")}
	dir, _ := os.Getwd()
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		roots = append(roots, filepath.Join(dir, "shared"))
	}
	for _, root := range roots {
		name := filepath.Join(root, "data", "oracle")
		if _, err := os.Stat(filepath.Join(name, "answers")); root != "" && err == nil {
			return name
		}
	}
	return ""
}

// TestRecordedAnswers holds Decode to what real servers answered to objects
// that were created or replaced: refusals of the decoder, and dropped fields.
func TestRecordedAnswers(t *testing.T) {
	check := func(t *testing.T, server string, cases map[[2]string]recordedCase, answers string) (checked int) {
		version, _, _ := strings.Cut(server, "-")
		n, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
		if err != nil {
			t.Fatal(err)
		}
		m := lifecycle.Minor(n)
		all, refused, told, wrong := 0, 0, 0, 0
		forLines(t, answers, func(a recordedAnswer) {
			a.File = strings.TrimSuffix(a.File, ".jsonl")
			c, ok := cases[[2]string{a.File, a.ID}]
			if !ok || c.Op != "" && c.Op != "create" && c.Op != "update" || strings.Contains(a.Message, "Options.meta.k8s.io") {
				return
			}
			body := []byte(c.Raw)
			if c.Raw == "" {
				body = c.Obj
			}
			r := apiserver.Request{Body: body}
			if r.New, err = wire.JSONAll(body, func(d wire.Duplicate) { r.Duplicates = append(r.Duplicates, d) }); err != nil {
				return // not JSON: YAML, or a mistake that is the case's own
			}
			r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
			switch {
			case strings.Contains(c.Query, "fieldValidation=Strict"):
				r.Validation = apiserver.Strict
			case strings.Contains(c.Query, "fieldValidation=Ignore"):
				r.Validation = apiserver.Ignore
			}
			if !Known(r.APIVersion, r.Kind, m) || a.Code != 200 && a.Code != 201 && a.Code != 422 && !strings.Contains(a.Message, "cannot be handled as a") {
				return
			}
			all++
			var want, got []string
			if strings.Contains(a.Message, "cannot be handled as a") {
				want = append(want, a.Message)
				refused++
			}
			for _, h := range a.Warnings {
				h = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimSuffix(strings.TrimPrefix(h, `299 - "`), `"`))
				if strings.HasPrefix(h, "unknown field ") || strings.HasPrefix(h, "duplicate field ") {
					want = append(want, h)
				}
			}
			if len(want) > 0 && want[0] != a.Message {
				told++
			}
			decoded := Decode(apiserver.Server{Minor: m}, r)
			for _, c := range decoded.Causes {
				got = append(got, c.Text)
			}
			for _, w := range decoded.Warnings {
				got = append(got, w.Text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				wrong++
				t.Errorf("%s %s (-server +verdict):\n%s", a.File, a.ID, diff)
			}
		})
		t.Logf("%s: %d of %d equal, %d of them refused by the decoder, %d with dropped fields", server, all-wrong, all, refused, told)
		return all
	}

	sets := map[string]string{"../testdata/sleep-cases.jsonl.gz": "../testdata/sleep-answers-*.jsonl.gz"}
	if dir := sharedOracle(); dir != "" {
		names, _ := filepath.Glob(filepath.Join(dir, "cases", "*.jsonl.gz"))
		for _, name := range names {
			sets[name] = filepath.Join(dir, "answers", "*.jsonl.gz")
		}
	}
	checked := 0
	for name, pattern := range sets {
		cases := map[[2]string]recordedCase{}
		forLines(t, name, func(c recordedCase) {
			if c.File == "" {
				c.File = strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
			}
			cases[[2]string{c.File, c.ID}] = c
		})
		answers, _ := filepath.Glob(pattern)
		if len(answers) == 0 {
			t.Errorf("no answers to %s", name)
		}
		for _, file := range answers {
			server := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
			server = server[strings.Index(server, "1."):]
			t.Run(filepath.Base(name)+"/"+server, func(t *testing.T) { checked += check(t, server, cases, file) })
		}
	}
	if checked == 0 {
		t.Error("no recorded answer was compared")
	}
}
