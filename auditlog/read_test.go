package auditlog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/corpustest"
)

// lister is a worker that lists events, one on each line.
type lister struct {
	out  []string
	line func(e *Event) string
}

func (l *lister) Event(e *Event, _ int) { l.out = append(l.out, l.line(e)) }

func (l *lister) Part() []string {
	p := l.out
	l.out = nil
	return p
}

func readAll(t testing.TB, o Options, line func(*Event) string, inputs ...Input) ([]string, Summary) {
	t.Helper()
	var all []string
	sum, err := Read(context.Background(), slices.Values(inputs), o,
		func() Worker[[]string] { return &lister{line: line} },
		func(p []string, _ string, _ int) { all = append(all, p...) })
	if err != nil {
		t.Fatal(err)
	}
	return all, sum
}

func bytesInput(name string, data []byte) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

func fileInput(path string) Input {
	return Input{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}

// describe returns all information that a report can show about an event,
// except the information that its format lost.
func describe(e *Event) string {
	if e.Lost&LostTail != 0 {
		return fmt.Sprintf("cut: %s %s %s", e.AuditID, e.Verb, e.Client.User)
	}
	uri, code, groups := e.URI.String(), fmt.Sprint(e.Code), strings.Join(e.Client.Groups, ",")
	as, name := e.Client.Impersonated, e.Ref.Name.String()
	dry := strings.Contains(uri, "dryRun=") || e.DryRun
	if e.Lost&LostQuery != 0 {
		uri = "?"
	}
	if e.Lost&LostGroups != 0 {
		groups, as = "?", "?" // without groups, the impersonated user is missing too
	}
	if e.Lost&LostAnnotations != 0 && e.Verb.Is("create") {
		name = "?" // the path of a create has no name
	}
	notes := fmt.Sprint(e.Deprecated, " ", e.RemovedRelease)
	if e.Lost&LostAnnotations != 0 {
		notes = "?"
	}
	return fmt.Sprintf("%s %d %s uri=%s user=%s as=%s agent=%s ip=%s groups=%s ref=%s/%s %s/%s %s %s code=%s notes=%s dry=%v",
		e.AuditID, e.Stage, e.Verb, uri, e.Client.User, as, e.Client.Agent, e.Client.SourceIP, groups,
		e.Ref.Group, e.Ref.Version, e.Ref.Resource, e.Ref.Subresource, e.Ref.Namespace, name, code, notes, dry)
}

// TestShapes reads a sample of each format. It compares each event with the
// same event in the server's format.
func TestShapes(t *testing.T) {
	dir := corpustest.Path(t, "audit", "formats")
	twins := map[string]*Event{}
	data, err := os.ReadFile(filepath.Join(dir, "01-apiserver-log-backend.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var s scanner
	for line := range bytes.Lines(data) {
		e := new(Event)
		c := cursor{b: bytes.TrimSpace(line)}
		if !s.event(e, &c) {
			t.Fatalf("%s", line)
		}
		twins[fmt.Sprint(e.AuditID, e.Stage)] = e
	}
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := entry.Name()
		if strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".py") || strings.HasSuffix(name, "_listing") || strings.HasPrefix(name, "01b") {
			return nil
		}
		t.Run(name, func(t *testing.T) {
			n := 0
			_, sum := readAll(t, Options{}, func(e *Event) string {
				n++
				own := *e
				twin := twins[fmt.Sprint(e.AuditID, e.Stage)]
				if twin == nil {
					t.Logf("no twin: %s", describe(e))
					return ""
				}
				want := *twin
				want.Lost, want.DryRun = own.Lost, own.DryRun
				if got, want := describe(&own), describe(&want); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				return ""
			}, fileInput(path))
			t.Logf("%d events, %d records, foreign %v, damaged %d %v, lost %v, failed %v", sum.Events, sum.Records, sum.Foreign, sum.Damaged, sum.Damage, sum.Lost, sum.Failed)
			if n == 0 && !strings.Contains(name, "termination") {
				t.Error("no events")
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRecordedLogsAsEventLists(t *testing.T) {
	line := func(e *Event) string {
		return fmt.Sprint(e.AuditID, e.Stage, e.Code, e.Ref.Resource, e.Ref.Name, len(e.Request()), len(e.Response()))
	}
	log, sum := readAll(t, Options{}, line, fileInput(corpustest.Path(t, "audit", "real", "1.36-RequestResponse.log.gz")))
	if sum.Damaged != 0 || len(sum.Failed) != 0 || sum.Events != sum.Records {
		t.Errorf("%+v", sum)
	}
	lists, sum := readAll(t, Options{}, line, fileInput(corpustest.Path(t, "audit", "real", "1.36-webhook-eventlists.jsonl.gz")))
	if sum.Damaged != 0 || len(sum.Failed) != 0 {
		t.Errorf("%+v", sum)
	}
	slices.Sort(log)
	slices.Sort(lists)
	t.Logf("%d events in the log, %d in lists", len(log), len(lists))
	if len(lists) == 0 {
		t.Error("no events in lists")
	}
	known := map[string]bool{}
	for _, l := range log {
		known[l] = true
	}
	missing := 0
	for _, l := range lists {
		if !known[l] {
			missing++
		}
	}
	t.Logf("%d events of the lists are not in the log", missing)
}

// TestOrder checks that the number of workers does not change the result.
func TestOrder(t *testing.T) {
	var log bytes.Buffer
	for i := range 30000 {
		fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"%d","stage":"ResponseComplete","verb":"get","user":{"username":"u%d"}}`+"\n", i, i%7)
		if i%1000 == 999 {
			fmt.Fprintf(&log, "{broken %d\n", i)
		}
	}
	line := func(e *Event) string { return e.AuditID.String() + e.Client.User }
	inputs := []Input{bytesInput("a", log.Bytes()), bytesInput("b", []byte("")), bytesInput("c", log.Bytes()[:100_000])}
	one, sum1 := readAll(t, Options{Workers: 1}, line, inputs...)
	many, sum4 := readAll(t, Options{Workers: 4}, line, inputs...)
	if !slices.Equal(one, many) {
		t.Error("the order depends on the number of workers")
	}
	a, _ := json.Marshal(sum1)
	b, _ := json.Marshal(sum4)
	if !bytes.Equal(a, b) {
		t.Errorf("%s\n%s", a, b)
	}
	if sum1.Damaged < 30 || sum1.Damage[0].Line != 1001 || sum1.Damage[0].Column != 2 {
		t.Errorf("%+v", sum1.Damage)
	}
}

// fragile is a worker that panics for one event.
type fragile struct{ lister }

func (f *fragile) Event(e *Event, line int) {
	if e.AuditID.Is("bad") {
		panic("boom")
	}
	f.lister.Event(e, line)
}

// broken is a reader that panics.
type broken struct{}

func (broken) Read([]byte) (int, error) { panic("boom") }

// TestPanics checks that a panic in one log is reported and does not affect the others.
func TestPanics(t *testing.T) {
	event := func(id string) []byte {
		return []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"` + id + `","stage":"ResponseComplete","requestURI":"/api/v1/pods","verb":"list","user":{"username":"u"},"responseStatus":{"code":200}}` + "\n")
	}
	inputs := []Input{
		bytesInput("bad", event("bad")),
		{Name: "broken", Open: func() (io.ReadCloser, error) { return io.NopCloser(broken{}), nil }},
		bytesInput("good", event("good")),
	}
	var got []string
	sum, err := Read(t.Context(), slices.Values(inputs), Options{Workers: 1},
		func() Worker[[]string] {
			return &fragile{lister{line: func(e *Event) string { return e.AuditID.String() }}}
		},
		func(p []string, _ string, _ int) { got = append(got, p...) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"good"}) || sum.Events != 1 || sum.Damaged != 1 {
		t.Errorf("got %q, %d events, %d damaged", got, sum.Events, sum.Damaged)
	}
	const want = "please report it (boom)"
	if len(sum.Damage) != 1 || sum.Damage[0].Input != "bad" || !strings.Contains(sum.Damage[0].Text, want) {
		t.Errorf("damage %v", sum.Damage)
	}
	if len(sum.Failed) != 1 || sum.Failed[0].Input != "broken" || !strings.Contains(sum.Failed[0].Err.Error(), want) {
		t.Errorf("failed %v", sum.Failed)
	}
}
