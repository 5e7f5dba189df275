package recorded

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

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Question is a request to the code of a release. Obj and Old are encoded as JSON.
type Question struct {
	ID  string `json:"id"`
	Op  string `json:"op"`
	Obj any    `json:"obj"`
	Old any    `json:"old,omitempty"`
}

// Case returns the question as a Case.
func (q Question) Case(t testing.TB) (c Case) {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// EachRelease runs a subtest for every release whose original code is available.
// Environment variables control it:
//
//	KUBEVET_ASK         the program that runs the code; the test is skipped without it
//	KUBEVET_ASK_MINORS  minors, such as "1.24 1.37"
//	KUBEVET_ASK_GATES   feature gates, such as A=true,B=false
//	KUBEVET_ASK_SEED    the seed of the random objects
//
// The arguments of the program are a minor and the gates. It reads one question from each
// line of standard input, and writes the answers.
func EachRelease(t *testing.T, test func(t *testing.T, s apiserver.Server, r *rand.Rand)) {
	if os.Getenv("KUBEVET_ASK") == "" {
		t.Skip("KUBEVET_ASK is not set")
	}
	gates := map[string]bool{}
	for _, one := range strings.FieldsFunc(os.Getenv("KUBEVET_ASK_GATES"), func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(one, "=")
		gates[name] = value == "true"
	}
	seed, _ := strconv.ParseUint(os.Getenv("KUBEVET_ASK_SEED"), 10, 64)
	for _, name := range strings.Fields(os.Getenv("KUBEVET_ASK_MINORS")) {
		t.Run(name, func(t *testing.T) {
			m, err := lifecycle.ParseMinor(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, WithGates(m, gates), rand.New(rand.NewPCG(seed, uint64(m))))
		})
	}
}

// Count returns KUBEVET_ASK_COUNT, the number of objects to ask about. If the variable is
// not set, it returns byDefault.
func Count(byDefault int) int {
	if n, err := strconv.Atoi(os.Getenv("KUBEVET_ASK_COUNT")); err == nil {
		return n
	}
	return byDefault
}

// Ask sends questions to the program in KUBEVET_ASK and returns the answers in their
// order. The ID of a question must be its index.
func Ask(t testing.TB, m lifecycle.Minor, questions []Question) []Answer {
	t.Helper()
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Getenv("KUBEVET_ASK"), m.String(), os.Getenv("KUBEVET_ASK_GATES"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	answers := make([]Answer, len(questions))
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		i, err := strconv.Atoi(a.ID)
		if err != nil || i >= len(answers) {
			t.Fatalf("an answer without a question: %s", lines.Bytes())
		}
		answers[i] = a
	}
	return answers
}
