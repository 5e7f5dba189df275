package auditserve

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// event returns one event of an EventList as API servers send it.
func event(id, stage string, second int) string {
	return fmt.Sprintf(`{"level":"Metadata","auditID":%q,"stage":%q,"requestURI":"/apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets/web","verb":"get","user":{"username":"scaler"},"userAgent":"scaler/1.0","objectRef":{"resource":"poddisruptionbudgets","namespace":"shop","name":"web","apiGroup":"policy","apiVersion":"v1beta1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-21T10:00:%02d.000000Z","stageTimestamp":"2026-11-21T10:00:%02d.100000Z","annotations":{"k8s.io/deprecated":"true","k8s.io/removed-release":"1.25"}}`,
		id, stage, second, second)
}

func list(events ...string) []byte {
	return []byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + strings.Join(events, ",") + "]}\n")
}

// batch returns an EventList with n events. Batches with different numbers have different
// events.
func batch(number, n int) []byte {
	var all []string
	for i := range n {
		all = append(all, event(fmt.Sprintf("%d-%d", number, i), "ResponseComplete", number%60))
	}
	return list(all...)
}

// clock is a clock that advances by one second each time it is read.
type clock struct{ at time.Time }

func (c *clock) now() time.Time {
	c.at = c.at.Add(time.Second)
	return c.at
}

func open(t *testing.T, path string, c *clock) *store {
	t.Helper()
	s, err := newStore(t.Context(), auditlive.Config{}, path, 1<<20, c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

func accept(t *testing.T, s *store, batch []byte) {
	t.Helper()
	if err := s.accept(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}

// requests returns the number of requests in the report.
func requests(t *testing.T, s *store) int64 {
	t.Helper()
	d, _, err := s.document()
	if err != nil {
		t.Fatal(err)
	}
	return d.Summary.Requests
}

func TestOnce(t *testing.T) {
	s := open(t, "", &clock{time.Now()})
	accept(t, s, batch(1, 5))
	accept(t, s, batch(1, 5))
	accept(t, s, list(event("1-0", "ResponseComplete", 1), event("new", "ResponseComplete", 1), event("new", "ResponseComplete", 1)))
	// Clients choose audit IDs. So an event with a known ID but another time is a new
	// event.
	accept(t, s, list(event("new", "ResponseComplete", 2)))
	if got := requests(t, s); got != 7 {
		t.Errorf("%d requests, want 7", got)
	}
	if c := s.counts(); c.Events != 7 || c.Duplicates != 7 || c.Batches != 4 {
		t.Errorf("counters %+v", c)
	}
	if n := s.analysis.Events(); n != 7 {
		t.Errorf("%d events", n)
	}
}

// TestCrash repeatedly ends a store without saving, and sends every batch twice.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.kvs")
	c := &clock{time.Now()}
	for round := range 6 {
		s := open(t, path, c)
		for i := range 4 {
			accept(t, s, batch(10*round+i, 3))
			if round > 0 {
				accept(t, s, batch(10*(round-1)+i, 3)) // not answered before the crash, so sent again
			}
		}
		if round%2 == 1 {
			requests(t, s) // computing the report announces the finding
			if err := s.save(); err != nil {
				t.Fatal(err)
			}
			accept(t, s, batch(10*round+5, 3))
		}
		if got, want := requests(t, s), int64(12*(round+1)+3*((round+1)/2)); got != want {
			t.Fatalf("round %d: %d requests, want %d", round, got, want)
		}
		s.journal.close()
	}
	s := open(t, path, c)
	d, news, err := s.document()
	if err != nil {
		t.Fatal(err)
	}
	if d.Summary.Requests != 81 || len(s.gaps) == 0 || !strings.Contains(strings.Join(d.Notes, "\n"), "kubevet did not run from ") {
		t.Errorf("%d requests, gaps %v, notes %q", d.Summary.Requests, s.gaps, d.Notes)
	}
	if len(news) != 0 {
		// The finding was printed and the state was saved before the crash, so it must
		// not be printed again.
		t.Errorf("printed again: %+v", news)
	}
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(path + ".journal-*")
	if err != nil || len(names) != 1 {
		t.Errorf("journals %q, %v", names, err)
	}
	// Other commands must be able to load the state too.
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	state, err := history.Read(f)
	if err != nil || state.Tally.Requests != 81 {
		t.Errorf("%v, %v", state, err)
	}
}

// TestCrashInSave ends a store after the new state was written, but before the journals
// were removed.
func TestCrashInSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.kvs")
	c := &clock{time.Now()}
	s := open(t, path, c)
	accept(t, s, batch(1, 3))
	old, err := os.ReadFile(s.journal.name(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.journal.name(0), old, 0o600); err != nil {
		t.Fatal(err)
	}
	accept(t, s, batch(2, 3))
	s.journal.close()
	if got := requests(t, open(t, path, c)); got != 6 {
		t.Errorf("%d requests, want 6", got)
	}
}

func TestTornJournal(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut":      func(b []byte) []byte { return b[:len(b)-20] },
		"head":     func(b []byte) []byte { return append(b, 1, 2, 3) },
		"zeros":    func(b []byte) []byte { return append(b, make([]byte, 4096)...) },
		"garbage":  func(b []byte) []byte { return append(b, "no journal at all"...) },
		"bit flip": func(b []byte) []byte { b[len(b)-100] ^= 4; return b },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.kvs")
			c := &clock{time.Now()}
			s := open(t, path, c)
			accept(t, s, batch(1, 3))
			accept(t, s, batch(2, 3))
			s.journal.close()
			text, err := os.ReadFile(s.journal.name(0))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(s.journal.name(0), damage(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s = open(t, path, c)
			accept(t, s, batch(2, 3))
			if got := requests(t, s); got != 6 {
				t.Errorf("%d requests, want 6", got)
			}
			if lost := s.counts().JournalDamage > 0; lost != (name != "cut" && name != "head") {
				t.Errorf("%d bytes lost", s.counts().JournalDamage)
			}
		})
	}
}

// TestFullDisk checks that a batch that cannot be written to the disk is refused and not
// counted.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.kvs")
	s := open(t, path, &clock{time.Now()})
	accept(t, s, batch(1, 3))
	s.journal.before = maxJournal
	if err := s.accept(t.Context(), batch(2, 3)); !errors.Is(err, errJournalFull) {
		t.Errorf("got %v", err)
	}
	s.journal.before = 0
	s.journal.file.Close()
	if err := s.accept(t.Context(), batch(2, 3)); err == nil {
		t.Error("a batch is accepted that is not on the disk")
	}
	if got := requests(t, s); got != 3 {
		t.Errorf("%d requests, want 3", got)
	}
}

func TestForeignState(t *testing.T) {
	c := &clock{time.Now()}
	for name, change := range map[string]func(*history.State){
		"of a run over files": func(s *history.State) { s.Live = nil },
		"of a run --follow":   func(s *history.State) { s.Live = []byte(`{"program":"follow"}`) },
		"damaged":             func(s *history.State) { s.Live = []byte(`{`) },
	} {
		path := filepath.Join(t.TempDir(), "a.kvs")
		s := open(t, path, c)
		accept(t, s, batch(1, 1))
		state, _, err := s.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		change(state)
		if err := auditlive.Save(path, state); err != nil {
			t.Fatal(err)
		}
		if _, err := newStore(t.Context(), auditlive.Config{}, path, 1<<20, c.now); err == nil || !strings.Contains(err.Error(), "not a state of kubevet audit serve") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestIdle checks that a time without batches is no gap.
func TestIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.kvs")
	c := &clock{time.Now()}
	s := open(t, path, c)
	accept(t, s, batch(1, 1))
	for range 60 {
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
		c.at = c.at.Add(time.Minute)
	}
	s.journal.close() // as if the program was killed
	s = open(t, path, c)
	if len(s.gaps) != 1 || s.counters.Down < 55 || s.counters.Down > 90 {
		t.Errorf("gaps %v of %d seconds, want a minute", s.gaps, s.counters.Down)
	}
}

func TestWindow(t *testing.T) {
	var w window
	at := time.Now()
	w.add([]uint64{1}, at)
	w.add([]uint64{2}, at.Add(windowTime))
	if !w.has(1) || !w.has(2) || w.has(3) {
		t.Error("events of the last two generations are forgotten")
	}
	var again window
	again.decode(w.encode(), at)
	if !again.has(1) || !again.has(2) {
		t.Error("a restart forgets events")
	}
	w.add([]uint64{3}, at.Add(2*windowTime))
	if w.has(1) || !w.has(2) || !w.has(3) {
		t.Error("it does not forget the oldest events alone")
	}
	for i := range uint64(windowEvents) {
		w.add([]uint64{100 + i}, at.Add(2*windowTime))
	}
	w.add([]uint64{4}, at.Add(2*windowTime))
	if w.has(2) || !w.has(3) || len(w.now) > windowEvents {
		t.Errorf("%d events", len(w.now))
	}
}

// TestLiveJSON checks the names of the JSON keys in states. They must not change.
func TestLiveJSON(t *testing.T) {
	text, err := json.Marshal(live{Program: program})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"program":"serve","journal":0,"saved":"0001-01-01T00:00:00Z","window":null,"announced":null,"counters":{"batches":0,"bytes":0,"events":0,"duplicates":0,"foreign":0,"journalDamage":0,"down":0},"gaps":null}`
	if string(text) != want {
		t.Errorf("got %s", text)
	}
}
