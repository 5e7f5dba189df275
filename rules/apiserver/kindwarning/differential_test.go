package kindwarning

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// question is a request to a release's own code.
type question struct {
	ID  string `json:"id"`
	Op  string `json:"op"`
	Obj any    `json:"obj"`
	Old any    `json:"old,omitempty"`
}

type reply struct {
	ID       string
	Code     int
	Message  string
	Warnings []string
}

// TestAgainstServerCode compares the warnings about random objects with those
// of Kubernetes' own functions. KUBEVET_ASK names a program that runs them: its
// argument is a minor such as 1.37, it reads questions from standard input, one
// per line, and writes replies. KUBEVET_ASK_MINORS is a list of minors,
// KUBEVET_ASK_GATES gates as in A=true,B=false, which it gets as a second
// argument, KUBEVET_ASK_COUNT the number of objects of each kind, KUBEVET_ASK_KINDS the
// kinds if not all. With KUBEVET_ASK_RECORD the answers are written to testdata,
// for TestGenerated.
func TestAgainstServerCode(t *testing.T) {
	program := os.Getenv("KUBEVET_ASK")
	if program == "" {
		t.Skip("KUBEVET_ASK is not set")
	}
	count, err := strconv.Atoi(os.Getenv("KUBEVET_ASK_COUNT"))
	if err != nil {
		count = 200
	}
	seed, _ := strconv.ParseUint(os.Getenv("KUBEVET_ASK_SEED"), 10, 64)
	kinds := strings.Fields(os.Getenv("KUBEVET_ASK_KINDS"))
	if len(kinds) == 0 {
		kinds = slices.Sorted(maps.Keys(makers))
	}
	for _, minor := range strings.Fields(os.Getenv("KUBEVET_ASK_MINORS")) {
		t.Run(minor, func(t *testing.T) {
			n, err := strconv.Atoi(strings.TrimPrefix(minor, "1."))
			if err != nil {
				t.Fatal(err)
			}
			s := apiserver.Server{Minor: lifecycle.Minor(n)}
			if gates := os.Getenv("KUBEVET_ASK_GATES"); gates != "" {
				s.Gate = func(name string) bool {
					for setting := range strings.SplitSeq(gates, ",") {
						if gate, value, _ := strings.Cut(setting, "="); gate == name {
							return value == "true"
						}
					}
					g, _ := lifecycle.GateDefault(name, s.Minor)
					return g.Default
				}
			}
			g := generator{rand.New(rand.NewPCG(seed, uint64(n))), s.Minor}
			var records []record
			for _, kind := range kinds {
				var questions []question
				for i := range count {
					q := question{ID: strconv.Itoa(i), Op: "create", Obj: g.object(kind)}
					if g.chance(3) {
						q.Op, q.Old = "update", q.Obj
						q.Obj = g.changed(q.Obj.(object))
					}
					questions = append(questions, q)
				}
				accepted, warned, wrong := 0, 0, 0
				refused := map[string]int{}
				for i, a := range ask(t, program, minor, questions) {
					if a.Code < 300 {
						accepted++
					} else {
						refused[a.Message]++
					}
					want := ours(kind, a.Warnings)
					warned += len(want)
					if a.Code < 500 {
						records = append(records, record{Op: questions[i].Op, Obj: questions[i].Obj, Old: questions[i].Old, Code: a.Code, Warnings: want})
					}
					if diff := cmp.Diff(want, said(s, requestOf(t, questions[i]), questions[i].Op, a.Code)); diff != "" {
						if wrong++; wrong <= 3 {
							text, _ := json.Marshal(questions[i])
							t.Errorf("%s\n%d %s (-server +here):\n%s", text, a.Code, a.Message, diff)
						}
					}
				}
				t.Logf("%-32s %d objects, %d accepted, %d warnings, %d answers differ", kind, count, accepted, warned, wrong)
				if os.Getenv("KUBEVET_ASK_REFUSED") != "" {
					for _, text := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] })[:min(3, len(refused))] {
						t.Logf("  %d times %s", refused[text], text)
					}
				}
			}
			if os.Getenv("KUBEVET_ASK_RECORD") != "" {
				write(t, "testdata/generated-"+minor+".jsonl.gz", records)
			}
		})
	}
}

// record is a question with what a release's own code answered to it; of the
// warnings those that this package is to give.
type record struct {
	Op       string   `json:"op"`
	Obj      any      `json:"obj"`
	Old      any      `json:"old,omitempty"`
	Code     int      `json:"code"`
	Warnings []string `json:"warnings,omitempty"`
}

func write(t *testing.T, name string, records []record) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestGenerated compares the warnings about random objects with those that
// TestAgainstServerCode has recorded.
func TestGenerated(t *testing.T) {
	files, _ := filepath.Glob("testdata/generated-*.jsonl.gz")
	if len(files) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, name := range files {
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "generated-"), ".jsonl.gz")
		s, ok := serverOf(version)
		if !ok {
			t.Errorf("what is server %s?", version)
			continue
		}
		t.Run(version, func(t *testing.T) {
			n, warned := 0, 0
			for _, q := range readLines[record](t, name) {
				r := requestOf(t, question{Op: q.Op, Obj: q.Obj, Old: q.Old})
				if diff := cmp.Diff(q.Warnings, said(s, r, q.Op, q.Code)); diff != "" {
					text, _ := json.Marshal(q.Obj)
					t.Errorf("%s %s\n%d (-server +here):\n%s", q.Op, text, q.Code, diff)
				}
				n++
				warned += len(q.Warnings)
			}
			t.Logf("%d objects, %d warnings", n, warned)
		})
	}
}

func ask(t *testing.T, program, minor string, questions []question) []reply {
	t.Helper()
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, minor, os.Getenv("KUBEVET_ASK_GATES"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	replies := make([]reply, len(questions))
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a reply
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		i, err := strconv.Atoi(a.ID)
		if err != nil || i >= len(replies) {
			t.Fatalf("an answer to nothing: %s", lines.Bytes())
		}
		replies[i] = a
	}
	return replies
}

func requestOf(t testing.TB, q question) apiserver.Request {
	t.Helper()
	read := func(v any) *wire.Value {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := wire.JSON(text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	r := apiserver.Request{New: read(q.Obj)}
	if q.Old != nil {
		r.Old = read(q.Old)
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	return r
}
