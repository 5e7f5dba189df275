package podwarning

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
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

// reply is the answer to it.
type reply struct {
	ID       string   `json:"id"`
	Code     int      `json:"code"`
	Message  string   `json:"message,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// TestAgainstServerCode compares the warnings about random objects with those
// of Kubernetes' own functions. KUBEVET_ASK names a program that runs them: its
// arguments are a minor such as 1.37 and gates such as A=true,B=false, it reads
// questions from standard input, one per line, and writes replies.
// KUBEVET_ASK_MINORS is a list of minors, KUBEVET_ASK_GATES the gates,
// KUBEVET_ASK_COUNT the number of objects for each minor, KUBEVET_ASK_SEED makes
// others.
func TestAgainstServerCode(t *testing.T) {
	program := os.Getenv("KUBEVET_ASK")
	if program == "" {
		t.Skip("KUBEVET_ASK is not set")
	}
	count, err := strconv.Atoi(os.Getenv("KUBEVET_ASK_COUNT"))
	if err != nil {
		count = 2000
	}
	seed, _ := strconv.ParseUint(os.Getenv("KUBEVET_ASK_SEED"), 10, 64)
	for _, minor := range strings.Fields(os.Getenv("KUBEVET_ASK_MINORS")) {
		t.Run(minor, func(t *testing.T) {
			n, err := strconv.Atoi(strings.TrimPrefix(minor, "1."))
			if err != nil {
				t.Fatal(err)
			}
			s := withGates(lifecycle.Minor(n), os.Getenv("KUBEVET_ASK_GATES"))
			g := generator{rand.New(rand.NewPCG(seed, uint64(n)))}
			var questions []question
			for i := range count {
				q := question{ID: strconv.Itoa(i), Op: "create", Obj: g.object(one(g, generatedKinds...))}
				if g.chance(3) {
					q.Op, q.Old = "update", q.Obj
					q.Obj = g.changed(q.Obj.(object))
				}
				questions = append(questions, q)
			}
			accepted, warned, wrong := 0, 0, 0
			for i, a := range ask(t, program, minor, os.Getenv("KUBEVET_ASK_GATES"), questions) {
				r := requestOf(t, questions[i])
				if a.Code < 300 {
					accepted++
				} else if os.Getenv("KUBEVET_ASK_REFUSED") != "" {
					t.Log(a.Message)
				}
				want := ours(a.Warnings)
				warned += len(want)
				if diff := cmp.Diff(want, said(s, r, a.Code)); diff != "" {
					if wrong++; wrong <= 5 {
						text, _ := json.Marshal(questions[i])
						t.Errorf("%s\n%d %s (-server +here):\n%s", text, a.Code, a.Message, diff)
					}
				}
			}
			t.Logf("1.%d: %d objects, %d accepted, %d warnings, %d answers differ", n, count, accepted, warned, wrong)
		})
	}
}

// withGates gives a server with gates set, such as A=true,B=false.
func withGates(m lifecycle.Minor, gates string) apiserver.Server {
	set := map[string]bool{}
	for _, one := range strings.FieldsFunc(gates, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(one, "=")
		set[name] = value == "true"
	}
	return apiserver.Server{Minor: m, Gate: func(name string) bool {
		if on, ok := set[name]; ok {
			return on
		}
		g, ok := lifecycle.GateDefault(name, m)
		return ok && g.Default
	}}
}

func ask(t *testing.T, program, minor, gates string, questions []question) []reply {
	t.Helper()
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, minor, gates)
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
