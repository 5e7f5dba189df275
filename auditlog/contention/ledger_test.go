package contention_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
	"github.com/kubevet/kubevet/internal/corpustest"
)

// gunzip reads a compressed file.
func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// atLevel returns a log as a server writes it with a policy of a lower level.
func atLevel(t testing.TB, log []byte, level string) []byte {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for line := range bytes.Lines(log) {
		var ev map[string]json.RawMessage
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatal(err)
		}
		delete(ev, "responseObject")
		if level == "Metadata" {
			delete(ev, "requestObject")
			var notes map[string]string
			if ev["annotations"] != nil {
				if err := json.Unmarshal(ev["annotations"], &notes); err != nil {
					t.Fatal(err)
				}
				for k := range notes {
					if strings.HasPrefix(k, "patch.webhook.") {
						delete(notes, k)
					}
				}
				ev["annotations"], _ = json.Marshal(notes)
			}
		}
		ev["level"], _ = json.Marshal(level)
		if err := e.Encode(ev); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// collect returns a collector with the writes in logs.
func collect(t testing.TB, cfg contention.Config, workers int, logs ...[]byte) *contention.Collector {
	t.Helper()
	c := contention.New(cfg)
	var inputs []auditlog.Input
	for i, log := range logs {
		inputs = append(inputs, auditlog.Input{Name: fmt.Sprintf("%d.log", i), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log)), nil }})
	}
	if _, err := auditlog.Read(context.Background(), slices.Values(inputs), auditlog.Options{Workers: workers}, c.Worker, c.Add); err != nil {
		t.Fatal(err)
	}
	return c
}

// fact is an action in a ledger. A program performed it while the log was
// recorded.
type fact struct {
	ID, Kind, Object, A, B, Who, Field, User string
	Users                                    []string
	Rounds                                   int
}

// wanted returns the rule that a fact must be reported under; "" for none.
func (f *fact) wanted(level string) string {
	switch {
	case level == "Metadata" && (f.ID == "s12" || f.ID == "s18"):
		return "" // there are only patches, which may be of different fields
	case strings.HasPrefix(f.Kind, "fight"), strings.HasPrefix(f.Kind, "webhook re-adds"):
		return "fieldfight"
	case f.Kind == "self-flap" && level != "Metadata":
		return "selfflap" // without bodies, it is not visible
	}
	return ""
}

// sides returns the users or agents that the fight must have as sides.
func (f *fact) sides() (out []string) {
	for _, s := range append([]string{f.A, f.B, f.Who}, f.Users...) {
		if s, _, _ = strings.Cut(s, " "); s != "" && s != "a" && s != "b" {
			out = append(out, strings.TrimSuffix(strings.Split(s, "/3.")[0], "/1.9.8"))
		}
	}
	return out
}

// path returns the field in the notation of Field.Path.
func (f *fact) path() string {
	p, _, _ := strings.Cut(f.Field, " ")
	return p
}

// TestLedgers compares the findings in recorded logs with the actions in the
// ledgers. It uses the recorded level and all lower levels.
func TestLedgers(t *testing.T) {
	for _, name := range []string{"1.36-RequestResponse", "1.24-Metadata"} {
		data := gunzip(t, corpustest.Path(t, "audit", "real", name+".log.gz"))
		var ledger struct{ Facts []fact }
		raw, err := os.ReadFile(corpustest.Path(t, "audit", "real", name+".ledger.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &ledger); err != nil {
			t.Fatal(err)
		}
		_, own, _ := strings.Cut(name, "-")
		for _, level := range []string{"RequestResponse", "Request", "Metadata"} {
			log := data
			switch {
			case level == own:
			case own == "Metadata":
				continue
			default:
				log = atLevel(t, data, level)
			}
			t.Run(name+" as "+level, func(t *testing.T) { held(t, level, ledger.Facts, log) })
		}
	}
}

func held(t *testing.T, level string, facts []fact, log []byte) {
	r := collect(t, contention.Config{}, 0, log).Report(contention.Thresholds{})
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FACT\tOBJECT\tKIND\tROUNDS\tFOUND\tREVERSALS\tEVIDENCE\tFIELD\tMECHANISM\tONGOING\t")
	seen := map[string]bool{}
	for i := range facts {
		f := &facts[i]
		object := f.Object[strings.LastIndexByte(f.Object, ' ')+1:]
		if object == "" {
			continue
		}
		seen[object] = true
		var found []contention.Fight
		for _, x := range r.Fights {
			if x.Object.Namespace+"/"+x.Object.Name == object {
				found = append(found, x)
			}
		}
		want := f.wanted(level)
		if len(found) == 0 {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t-\t\t\t\t\t\t\n", f.ID, object, f.Kind, f.Rounds)
			if want != "" {
				t.Errorf("%s: no %s found", object, want)
			}
			continue
		}
		x := found[0]
		path := ""
		if len(x.Fields) > 0 {
			path = x.Fields[0].Path
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%s\t%s\t%s\t%v\t\n", f.ID, object, f.Kind, f.Rounds, x.Rule(), x.Reversals, x.Evidence, path, x.Cause.Mechanism, x.Ongoing)
		if len(found) > 1 || x.Rule() != want {
			t.Errorf("%s: found %s, want %q", object, x.Rule(), want)
			continue
		}
		evidence := map[string]contention.Evidence{"RequestResponse": contention.Exact, "Request": contention.Partial, "Metadata": contention.Probable}[level]
		if x.Evidence != evidence {
			t.Errorf("%s: evidence %s at level %s", object, x.Evidence, level)
		}
		if level != "Metadata" && strings.Contains(f.path(), ".") && (len(x.Fields) != 1 || path != f.path()) {
			t.Errorf("%s: fields %v, want %s", object, x.Fields, f.path())
		}
		if x.Reversals < int64(f.Rounds)*8/10 || x.Reversals > int64(f.Rounds)*3 {
			t.Errorf("%s: %d reversals in %d rounds", object, x.Reversals, f.Rounds)
		}
		for _, s := range f.sides() {
			if !slices.ContainsFunc(x.Sides, func(y contention.Side) bool { return y.User == s || y.Agent == s }) {
				t.Errorf("%s: %s is not among %v", object, s, x.Sides)
			}
		}
	}
	for _, x := range r.Fights {
		if !seen[x.Object.Namespace+"/"+x.Object.Name] {
			t.Errorf("%s of %s, of which the ledger knows nothing", x.Rule(), x.Object)
		}
	}
	w.Flush()
	t.Logf("%d objects with several writers, %d writes, %d undecided, %d leftovers\n%s", r.Objects, r.Writes, r.Undecided, len(r.Leftovers), table.String())
}

// lines distributes the lines of a log to n logs in turn.
func lines(log []byte, n int) [][]byte {
	out := make([][]byte, n)
	s := bufio.NewScanner(bytes.NewReader(log))
	s.Buffer(nil, 1<<24)
	for i := 0; s.Scan(); i++ {
		out[i%n] = append(append(out[i%n], s.Bytes()...), '\n')
	}
	return out
}

// samples returns logs of all levels: scenarios, and recorded logs if
// KUBEVET_CORPUS is set.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	played := scenario.Log(scenario.All())
	out := map[string][]byte{"scenarios": played, "scenarios, Request": atLevel(t, played, "Request"), "scenarios, Metadata": atLevel(t, played, "Metadata")}
	if dir := corpustest.Dir(t); dir != "" {
		rr := gunzip(t, corpustest.Path(t, "audit", "real", "1.36-RequestResponse.log.gz"))
		out["1.36"] = rr
		out["1.36, Request"] = atLevel(t, rr, "Request")
		out["1.24"] = gunzip(t, corpustest.Path(t, "audit", "real", "1.24-Metadata.log.gz"))
	}
	return out
}
