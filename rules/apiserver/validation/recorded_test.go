package validation

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// recordedCase is a request that servers answered.
type recordedCase struct {
	ID       string
	Body     string // or
	Obj, Old json.RawMessage
}

// recordedAnswer is what one server said.
type recordedAnswer struct {
	ID     string
	Code   int
	Causes []recordedCause
}

type recordedCause struct{ Field, Message string }

// readLines reads a compressed file of JSON lines.
func readLines[T any](t testing.TB, name string) (all []T) {
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
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		all = append(all, one)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return all
}

// serverOf gives the server of a name such as 1.32-zeroon.
func serverOf(t testing.TB, name string) apiserver.Server {
	t.Helper()
	const zero = "PodLifecycleSleepActionAllowZero"
	version, suffix, _ := strings.Cut(name, "-")
	minor, err := strconv.Atoi(strings.TrimPrefix(version, "1."))
	if err != nil {
		t.Fatalf("server %s: %v", name, err)
	}
	s := apiserver.Server{Minor: lifecycle.Minor(minor)}
	if suffix != "" {
		plain := s
		s.Gate = func(gate string) bool {
			if gate == zero {
				return suffix == "zeroon"
			}
			return plain.Enabled(gate)
		}
	}
	return s
}

// request gives a case as it reaches validation; ok is false where the decoder
// refuses it.
func (c recordedCase) request(t testing.TB, s apiserver.Server) (r apiserver.Request, ok bool) {
	t.Helper()
	body := []byte(c.Obj)
	if c.Body != "" {
		body = []byte(c.Body)
	}
	v, err := wire.JSON(body)
	if err != nil {
		return r, false
	}
	r = apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
	if len(c.Old) > 0 {
		if r.Old, err = wire.JSON(c.Old); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
	return r, len(schema.Decode(s, r).Causes) == 0
}

// servers calls a test for each recorded server, with its answers by case.
func servers(t *testing.T, prefix string, test func(t *testing.T, s apiserver.Server, answers map[string]recordedAnswer)) {
	names, _ := filepath.Glob("testdata/" + prefix + "-*.jsonl.gz")
	if len(names) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, name := range names {
		server := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), prefix+"-"), ".jsonl.gz")
		t.Run(server, func(t *testing.T) {
			answers := map[string]recordedAnswer{}
			for _, a := range readLines[recordedAnswer](t, name) {
				answers[a.ID] = a
			}
			test(t, serverOf(t, server), answers)
		})
	}
}

// want are the causes of an answer, each once.
func (a recordedAnswer) want() (causes []recordedCause) {
	if a.Code != http.StatusUnprocessableEntity {
		return nil
	}
	seen := map[recordedCause]bool{}
	for _, c := range a.Causes {
		if !seen[c] {
			seen[c] = true
			causes = append(causes, c)
		}
	}
	return causes
}

// got are ours in the same form. Of an inexact one the text is the server's,
// if it is about the same field.
func got(causes []apiserver.Cause, want []recordedCause) (all []recordedCause) {
	taken := map[recordedCause]bool{}
	for _, c := range causes {
		one := recordedCause{c.Field, c.Text}
		if c.Inexact {
			for _, w := range want {
				if w.Field == c.Field && !taken[w] {
					one = w
					break
				}
			}
		}
		taken[one] = true
		all = append(all, one)
	}
	return all
}

// TestRecordedAnswers holds the causes to what real servers answered, in their
// order.
func TestRecordedAnswers(t *testing.T) {
	cases := readLines[recordedCase](t, "testdata/recorded.jsonl.gz")
	servers(t, "recorded", func(t *testing.T, s apiserver.Server, answers map[string]recordedAnswer) {
		for _, c := range cases {
			a, ok := answers[c.ID]
			if !ok {
				continue
			}
			r, ok := c.request(t, s)
			if !ok {
				continue
			}
			want := a.want()
			if diff := cmp.Diff(want, got(Causes(s, r), want)); diff != "" {
				t.Errorf("%s (-server +ours):\n%s", c.ID, diff)
			}
		}
	})
}

// TestGeneratedAnswers holds the causes to what the code of releases says of
// random objects. Their order is not compared: the server goes through maps in
// none.
func TestGeneratedAnswers(t *testing.T) {
	cases := readLines[recordedCase](t, "testdata/generated.jsonl.gz")
	servers(t, "generated", func(t *testing.T, s apiserver.Server, answers map[string]recordedAnswer) {
		n, verdicts, texts := 0, 0, 0
		for _, c := range cases {
			a, ok := answers[c.ID]
			if !ok {
				continue
			}
			r, ok := c.request(t, s)
			if !ok {
				continue
			}
			n++
			want := a.want()
			ours := got(Causes(s, r), want)
			if (len(ours) == 0) != (len(want) == 0) {
				verdicts++
				t.Logf("%s: server says %v, ours is %v", c.ID, want, ours)
			} else if missing, extra := apart(want, ours); len(missing)+len(extra) > 0 {
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

// apart gives what only one of two lists has.
func apart(a, b []recordedCause) (onlyA, onlyB []recordedCause) {
	count := map[recordedCause]int{}
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
