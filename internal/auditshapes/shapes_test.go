package auditshapes_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/auditshapes"
	"github.com/kubevet/kubevet/internal/cli"
)

// TestShapes checks that reading a log gives the same result in every format, or that the
// format is refused. KUBEVET_SHAPES may name another log.
func TestShapes(t *testing.T) {
	log := readLog(t)
	plain := auditshapes.All()[0]
	first := writeShape(t, plain, log)
	want, status, _ := audit(t, first)
	if status == 3 || want.Summary.Requests == 0 {
		t.Fatalf("the log itself: status %d, %d requests", status, want.Summary.Requests)
	}
	whole := events(t, first)
	completed := 0
	for _, e := range log {
		if e.Stage == "ResponseComplete" && e.ObjectRef != nil {
			completed++
		}
	}
	counts := map[string]int{}
	names := map[string]bool{}
	for _, shape := range auditshapes.All() {
		if names[shape.Name] {
			t.Errorf("two shapes %q", shape.Name)
		}
		names[shape.Name] = true
		t.Run(shape.Name, func(t *testing.T) {
			files := writeShape(t, shape, log)
			got, status, stderr := audit(t, files)
			verdict := "refused"
			switch {
			case status == 3 && got.Summary.Requests == 0:
				if len(stderr) < 20 {
					t.Errorf("refused without a word: %q", stderr)
				}
			case shape.Keeps == auditshapes.Nothing:
				t.Errorf("status %d, %d requests read of what has none", status, got.Summary.Requests)
			case shape.Keeps == auditshapes.Cut:
				verdict = "cut"
				if status != 3 {
					t.Errorf("status %d, want 3", status)
				}
			case shape.Keeps == auditshapes.Some:
				verdict = "part"
				if got.Summary.Requests == 0 || len(got.Notes) == 0 {
					t.Errorf("status %d, %d requests, notes %q", status, got.Summary.Requests, got.Notes)
				}
			case shape.Keeps == auditshapes.Requests:
				verdict = "requests"
				if n := got.Summary.Requests; n != want.Summary.Requests && n != completed {
					t.Errorf("status %d, %d requests, want %d or %d", status, n, want.Summary.Requests, completed)
				}
				if got.Deprecated.Requests > want.Deprecated.Requests || got.Deprecated.Requests < want.Deprecated.Requests-want.Deprecated.Unannotated {
					t.Errorf("%d deprecated requests, want %d", got.Deprecated.Requests, want.Deprecated.Requests)
				}
			default:
				verdict = "same"
				if status == 3 {
					verdict = "same, but status 3"
				}
				for _, d := range append(differences(want, got), eventDifferences(whole, events(t, files))...) {
					if verdict = "incomplete"; status != 3 {
						t.Errorf("status %d: %s", status, d)
					}
				}
			}
			if t.Failed() {
				verdict = "wrong"
			}
			counts[verdict]++
			t.Log(verdict, strings.TrimSpace(stderr))
		})
	}
	t.Log(counts)
}

// result has the parts of a report that must not depend on the format.
type result struct {
	Summary struct {
		Requests, Damaged int
		First, Last       string
	}
	Deprecated struct {
		Requests, Unannotated int
		Rows                  []struct {
			Group map[string]string
			Count int
		}
	}
	Clients []map[string]any
	Fights  []struct {
		Object    map[string]string
		Fields    []struct{ Path string }
		Reversals int
		Evidence  string
	}
	Notes []string
}

func differences(want, got result) []string {
	var out []string
	check := func(what string, want, got any) {
		if !reflect.DeepEqual(want, got) {
			out = append(out, fmt.Sprintf("%s: %s, want %s", what, short(got), short(want)))
		}
	}
	check("requests", want.Summary.Requests, got.Summary.Requests)
	check("first", want.Summary.First, got.Summary.First)
	check("last", want.Summary.Last, got.Summary.Last)
	check("deprecated", want.Deprecated, got.Deprecated)
	check("fights", want.Fights, got.Fights)
	check("clients", clients(want), clients(got))
	return out
}

// event has the data that is read from one event.
type event struct {
	user, agent, uri, message, request, response string
}

// collector stores events by ID and stage.
type collector struct{ found map[string]event }

func (c *collector) Event(e *auditlog.Event, _ int) {
	request, response := e.Request(), e.Response()
	c.found[fmt.Sprint(e.AuditID, e.Stage)] = event{
		fmt.Sprint(e.Client.User, e.Client.Impersonated, e.Client.Groups, e.Client.SourceIP), e.Client.Agent, e.URI.String(), e.Message.String(), string(request), string(response),
	}
}

func (c *collector) Part() map[string]event {
	found := c.found
	c.found = map[string]event{}
	return found
}

// canonical sorts the keys of bodies and removes unnecessary escapes.
func (e event) canonical() event {
	e.request, e.response = canonical(e.request), canonical(e.response)
	return e
}

func canonical(data string) string {
	if data == "" {
		return ""
	}
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// events reads the log in a shape and returns its events.
func events(t *testing.T, files auditshapes.Files) map[string]event {
	t.Helper()
	all := map[string]event{}
	var inputs []auditlog.Input
	for name, data := range files {
		inputs = append(inputs, auditlog.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }})
	}
	worker := func() auditlog.Worker[map[string]event] { return &collector{map[string]event{}} }
	if _, err := auditlog.Read(t.Context(), slices.Values(inputs), auditlog.Options{}, worker, func(p map[string]event, _ string, _ int) { maps.Copy(all, p) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// eventDifferences returns texts about events that differ.
func eventDifferences(want, got map[string]event) (out []string) {
	for id, w := range want {
		if g, ok := got[id]; !ok {
			out = append(out, "no event "+id)
		} else if g != w && g.canonical() != w.canonical() {
			out = append(out, fmt.Sprintf("event %s: %s, want %s", id, short(g), short(w)))
		}
	}
	if len(got) > len(want) {
		out = append(out, fmt.Sprintf("%d events, want %d", len(got), len(want)))
	}
	return out[:min(len(out), 3)]
}

func short(v any) string {
	s := fmt.Sprintf("%+v", v)
	return s[:min(len(s), 300)]
}

// clients returns the counts of each client, without positions.
func clients(r result) []string {
	var out []string
	for _, c := range r.Clients {
		out = append(out, fmt.Sprint(c["user"], c["agent"], c["requests"], c["reads"], c["creates"], c["updates"], c["patches"], c["applies"], c["deletes"], c["unnamed"], c["forced"], c["conflicts"]))
	}
	slices.Sort(out)
	return out
}

// writeShape returns the files of the log in a shape.
func writeShape(t *testing.T, shape auditshapes.Shape, log auditshapes.Log) auditshapes.Files {
	t.Helper()
	files, err := shape.Write(log)
	if errors.Is(err, auditshapes.ErrNoProgram) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// audit runs kubevet audit on files and returns the report, the exit status and standard
// error.
func audit(t *testing.T, files auditshapes.Files) (r result, status int, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	status = cli.Main([]string{"audit", "-o", "json", dir}, strings.NewReader(""), &out, &errs)
	if status != 2 && out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v in %.200s", err, out.Bytes())
		}
	}
	if status == 2 {
		t.Errorf("status 2: %s", errs.String())
	}
	return r, status, errs.String()
}

func readLog(t *testing.T) auditshapes.Log {
	t.Helper()
	paths := []string{filepath.Join("..", "..", "testdata", "audit", "fights.log.gz"), filepath.Join("..", "..", "testdata", "audit", "decisions-1.37.log.gz")}
	if other := os.Getenv("KUBEVET_SHAPES"); other != "" {
		paths = []string{other}
	}
	var log auditshapes.Log
	for _, path := range paths {
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
		part, err := auditshapes.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("KUBEVET_SHAPES") == "" {
			part = part[:min(len(part), 600)] // the first 600 events have every kind of difference
		}
		log = append(log, part...)
	}
	return log
}
