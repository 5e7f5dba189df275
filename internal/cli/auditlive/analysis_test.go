package auditlive

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/auditreport"
)

// recorded returns the lines of a recorded log.
func recorded(t *testing.T, name string) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "testdata", "audit", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// add adds lines of a log to an analysis. first is the number of lines before them.
func add(t *testing.T, a *Analysis, first int, lines [][]byte, keep func(*auditlog.Event) bool) *Batch {
	t.Helper()
	b, err := a.Read(t.Context(), Text{Input: "log", Line: first, Bytes: bytes.Join(lines, nil), Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	a.Add(b)
	return b
}

func document(t *testing.T, a *Analysis) *auditreport.Document {
	t.Helper()
	d, err := a.Document()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// exported ignores unexported fields, which reports do not have.
var exported = cmpopts.IgnoreUnexported(auditreport.Document{}, auditreport.Row{}, auditreport.Client{}, auditreport.Denial{})

// TestPieces checks that the report does not depend on the pieces. A log must have the
// same report in one piece, in many pieces, and with restarts between the pieces.
func TestPieces(t *testing.T) {
	for _, name := range []string{"fights.log.gz", "decisions-1.37.log.gz"} {
		lines := recorded(t, name)
		whole := New(Config{})
		add(t, whole, 0, lines, nil)
		want := document(t, whole)
		pieces, restarted := New(Config{}), New(Config{})
		for first := 0; first < len(lines); first += 97 {
			piece := lines[first:min(first+97, len(lines))]
			add(t, pieces, first, piece, nil)
			document(t, pieces) // computing the document must not change the result
			add(t, restarted, first, piece, nil)
			if first%2 == 0 {
				state := restarted.State()
				inputs := restarted.Inputs()
				restarted = New(Config{})
				if err := restarted.Load(state, inputs); err != nil {
					t.Fatal(err)
				}
			}
		}
		for how, a := range map[string]*Analysis{"pieces": pieces, "restarted": restarted} {
			if d := cmp.Diff(want, document(t, a), exported); d != "" {
				t.Errorf("%s, %s (-whole +it):\n%s", name, how, d)
			}
		}
	}
}

// TestTwoLogs checks that the counts are the same if pieces of two logs alternate.
func TestTwoLogs(t *testing.T) {
	lines := recorded(t, "fights.log.gz")
	half := len(lines) / 2
	put := func(a *Analysis, log string, first, last int) {
		b, err := a.Read(t.Context(), Text{Input: log, Line: first % half, Bytes: bytes.Join(lines[first:last], nil)})
		if err != nil {
			t.Fatal(err)
		}
		a.Add(b)
	}
	want, got := New(Config{}), New(Config{})
	put(want, "a", 0, half)
	put(want, "b", half, 2*half)
	for i := 0; i < half; i += 50 {
		end := min(i+50, half)
		put(got, "a", i, end)
		put(got, "b", half+i, half+end)
	}
	if d := cmp.Diff(document(t, want), document(t, got), exported); d != "" {
		t.Errorf("-one after the other +in turn:\n%s", d)
	}
}

// TestManyLogs checks that the names of logs and the failures are bounded, and that the
// report says what was left out.
func TestManyLogs(t *testing.T) {
	a := New(Config{})
	for i := range maxInputs + 2 {
		b, err := a.Read(t.Context(), Text{Input: fmt.Sprint("log", i)})
		if err != nil {
			t.Fatal(err)
		}
		a.Add(b)
		a.Fail("log", fmt.Errorf("failure %d", i))
	}
	d := document(t, a)
	notes := strings.Join(d.Notes, "\n")
	for _, part := range []string{"the names of 2 logs were dropped to bound memory, the last one log1:", fmt.Sprint(maxInputs+2-maxFailures, " more failures")} {
		if !strings.Contains(notes, part) {
			t.Errorf("notes %q lack %q", notes, part)
		}
	}
	if n := len(a.Inputs()); n != maxInputs || d.Summary.Inputs != maxInputs+2 || len(d.Summary.Unreadable) != maxFailures {
		t.Errorf("%d names, %d inputs, %d failures", n, d.Summary.Inputs, len(d.Summary.Unreadable))
	}
}

// TestKeep checks that events for which Keep returns false do not change the report.
func TestKeep(t *testing.T) {
	lines := recorded(t, "fights.log.gz")
	want, got := New(Config{}), New(Config{})
	add(t, want, 0, lines[:100], nil)
	n := 0
	b := add(t, got, 0, lines, func(*auditlog.Event) bool { n++; return n <= 100 })
	if b.Events() != 100 || got.Events() != 100 || n != len(lines) {
		t.Errorf("%d, %d, %d", b.Events(), got.Events(), n)
	}
	if d := cmp.Diff(document(t, want), document(t, got), exported, cmpopts.IgnoreFields(auditreport.Summary{}, "Bytes"), cmpopts.IgnoreFields(auditreport.Contention{}, "Writes")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestAnnounced checks that each finding is announced only once, with the key of its
// subject. It uses recorded logs.
func TestAnnounced(t *testing.T) {
	for _, name := range []string{"fights.log.gz", "decisions-1.37.log.gz"} {
		lines := recorded(t, name)
		a := New(Config{})
		var announced Announced
		rules := map[string]int{}
		for first := 0; first < len(lines); first += 200 {
			add(t, a, first, lines[first:min(first+200, len(lines))], nil)
			for _, n := range announced.New(document(t, a)) {
				rules[n.Rule]++
				if o := n.Object; o != nil && o.Name != "" && !strings.Contains(n.Key, `"`+o.Name+`"`) {
					t.Errorf("the key of %s is %s", n.Message, n.Key)
				}
				if n.Rule == "fieldmanager" && !strings.HasPrefix(n.Key, `fieldmanager ["`+n.Message[:strings.Index(n.Message, " (")]+`"`) {
					t.Errorf("the key of %s is %s", n.Message, n.Key)
				}
			}
			var again Announced
			again.Restore(announced.Keys())
			if news := again.New(document(t, a)); len(news) > 0 {
				t.Errorf("announced again: %+v", news)
			}
		}
		d := document(t, a)
		if got, want := rules["fieldfight"], len(d.Fights)-rules["selfflap"]; got != want {
			t.Errorf("%s: %d fights announced, want %d", name, got, want)
		}
		if len(rules) < 1 {
			t.Errorf("%s: nothing is announced", name)
		}
	}
}
