// Package recorded reads requests that were sent to real kube-apiservers, and their
// answers. Only tests use it.
package recorded

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Case is a request that was sent to real servers.
type Case struct {
	File string `json:"file,omitempty"`
	ID   string `json:"id"`
	// Op is create (the default), update or merge. merge is a JSON merge patch.
	Op string `json:"op,omitempty"`
	// Method and Path belong to the request. They are empty if they follow from Op and
	// the kind.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Setup has the objects that were created before the request.
	Setup []json.RawMessage `json:"setup,omitempty"`
	// Old is the stored object. If it is empty, the stored object is the first in Setup.
	Old json.RawMessage `json:"old,omitempty"`
	// Obj is the body of the request. If the body is not a JSON value, Raw or Body is set
	// instead.
	Obj  json.RawMessage `json:"obj,omitempty"`
	Raw  string          `json:"raw,omitempty"`
	Body string          `json:"body,omitempty"`
	// Query is the query of the URL. nil means a dry run with fieldValidation=Warn.
	Query *string `json:"query,omitempty"`
}

// Answer is the answer of one server.
type Answer struct {
	File    string `json:"file,omitempty"`
	ID      string `json:"id"`
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Warnings has the Warning headers, or only their texts.
	Warnings []string `json:"warnings,omitempty"`
	Causes   []Cause  `json:"causes,omitempty"`
}

// Cause is one cause in the Status of an answer.
type Cause struct{ Field, Message string }

// Text returns the body of the request.
func (c Case) Text() []byte {
	for _, text := range []string{c.Raw, c.Body} {
		if text != "" {
			return []byte(text)
		}
	}
	return c.Obj
}

// Request returns the request of a case for package apiserver. For a merge patch, it has
// the merged object. ok is false if the body is not a JSON object, the operation is
// unknown, or the stored object of an update is unknown.
func (c Case) Request() (r apiserver.Request, ok bool) {
	r.Body = c.Text()
	var err error
	r.New, err = wire.JSONAll(r.Body, func(d wire.Duplicate) { r.Duplicates = append(r.Duplicates, d) })
	if err != nil || r.New == nil || r.New.Kind != wire.Map {
		return r, false
	}
	old := c.Old
	switch c.Op {
	case "", "create":
	case "update", "merge":
		if len(old) == 0 && len(c.Setup) > 0 {
			old = c.Setup[0]
		}
		if len(old) == 0 {
			return r, false
		}
	default:
		return r, false
	}
	if len(old) > 0 {
		if r.Old, err = wire.JSON(old); err != nil {
			return r, false
		}
	}
	if c.Op == "merge" {
		r.New, r.Body = MergePatch(r.Old, r.New), nil
	}
	r.APIVersion, r.Kind = r.New.Get("apiVersion").StringOr(""), r.New.Get("kind").StringOr("")
	if c.Query != nil {
		switch {
		case strings.Contains(*c.Query, "fieldValidation=Strict"):
			r.Validation = apiserver.Strict
		case strings.Contains(*c.Query, "fieldValidation=Ignore"):
			r.Validation = apiserver.Ignore
		}
	}
	return r, true
}

// MergePatch applies a JSON merge patch (RFC 7386).
func MergePatch(old, patch *wire.Value) *wire.Value {
	if patch == nil || patch.Kind != wire.Map {
		return patch
	}
	merged := &wire.Value{Kind: wire.Map}
	if old != nil && old.Kind == wire.Map {
		for _, f := range old.Fields {
			if patch.Field(f.Name) == nil {
				merged.Fields = append(merged.Fields, f)
			}
		}
	}
	for _, f := range patch.Fields {
		if !f.Value.IsNull() {
			f.Value = MergePatch(old.Get(f.Name), f.Value)
			merged.Fields = append(merged.Fields, f)
		}
	}
	return merged
}

// WarningTexts returns the texts of the Warning headers in an answer.
func (a Answer) WarningTexts() []string {
	var texts []string
	for _, h := range a.Warnings {
		if text, ok := strings.CutPrefix(h, `299 - "`); ok {
			h = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimSuffix(text, `"`))
		}
		texts = append(texts, h)
	}
	return texts
}

// Lines reads a compressed file with one JSON value on each line.
func Lines[T any](t testing.TB, name string) (all []T) {
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

// Write writes a compressed file with one JSON value on each line.
func Write[T any](t testing.TB, name string, all []T) {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	for _, one := range all {
		if err := enc.Encode(one); err != nil {
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

// Server returns the server for a name such as 1.32-zeroon. The suffix stands for the
// feature gates of the server.
func Server(t testing.TB, name string) apiserver.Server {
	t.Helper()
	const zero, sleep = "PodLifecycleSleepActionAllowZero", "PodLifecycleSleepAction"
	suffixes := map[string]map[string]bool{
		"":          nil,
		"zeroon":    {zero: true},
		"gateoff":   {zero: false},
		"sleepon":   {sleep: true},
		"sleepoff":  {sleep: false, zero: false},
		"fieldsoff": {"AppArmorFields": false},
		"mutating":  {"MutatingAdmissionPolicy": true},
	}
	version, suffix, _ := strings.Cut(name, "-")
	minor, err := lifecycle.ParseMinor(version)
	gates, ok := suffixes[suffix]
	if err != nil || !ok {
		t.Fatalf("unknown server %s", name)
	}
	return WithGates(minor, gates)
}

// WithGates returns a server of a minor with some feature gates set.
func WithGates(m lifecycle.Minor, gates map[string]bool) apiserver.Server {
	plain := apiserver.Server{Minor: m}
	return apiserver.Server{Minor: m, Gate: func(name string) bool {
		if on, ok := gates[name]; ok {
			return on
		}
		return plain.Enabled(name)
	}}
}

// Servers runs a subtest for each recorded server, in the order of names. The subtest
// receives the lines in the file of the server. pattern matches the files, such as
// testdata/answers-*.jsonl.gz, with an asterisk for the name of the server.
func Servers[T any](t *testing.T, pattern string, test func(t *testing.T, s apiserver.Server, answers []T)) {
	t.Helper()
	for name, file := range serverFiles(t, pattern) {
		t.Run(name, func(t *testing.T) { test(t, Server(t, name), Lines[T](t, file)) })
	}
}

// serverFiles yields the name and the file of each server.
func serverFiles(t testing.TB, pattern string) iter.Seq2[string, string] {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded answers in %s: %v", pattern, err)
	}
	prefix, suffix, _ := strings.Cut(pattern, "*")
	return func(yield func(name, file string) bool) {
		for _, file := range files {
			if !yield(strings.TrimSuffix(strings.TrimPrefix(file, prefix), suffix), file) {
				return
			}
		}
	}
}

// Corpus returns the directory oracle in KUBEVET_CORPUS, which has further cases and
// answers, or "".
func Corpus() string {
	if dir := os.Getenv("KUBEVET_CORPUS"); dir != "" {
		return filepath.Join(dir, "oracle")
	}
	return ""
}

// key identifies a case.
type key struct{ file, id string }

// Set has cases and the answers of servers to them.
type Set struct {
	cases   map[key]Case
	servers map[string][]Answer
}

// Load reads cases and answers. answers is a pattern as for Servers.
func Load(t testing.TB, cases, answers string) *Set {
	t.Helper()
	s := &Set{cases: map[key]Case{}, servers: map[string][]Answer{}}
	for _, c := range Lines[Case](t, cases) {
		s.cases[key{c.File, c.ID}] = c
	}
	for name, file := range serverFiles(t, answers) {
		s.servers[name] = Lines[Answer](t, file)
	}
	return s
}

// AddCorpus adds cases and answers from the named files of the corpus, or from all its
// files if there are no names. Without a corpus it does nothing.
func (s *Set) AddCorpus(t testing.TB, files ...string) {
	t.Helper()
	dir := Corpus()
	if dir == "" {
		return
	}
	wanted := func(file string) bool { return len(files) == 0 || slices.Contains(files, file) }
	names, _ := filepath.Glob(filepath.Join(dir, "cases", "*.jsonl.gz"))
	for _, name := range names {
		file := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")
		if !wanted(file) {
			continue
		}
		for _, c := range Lines[Case](t, name) {
			c.File = file
			s.cases[key{file, c.ID}] = c
		}
	}
	for name, path := range serverFiles(t, filepath.Join(dir, "answers", "*.jsonl.gz")) {
		var found []Answer
		for _, a := range Lines[Answer](t, path) {
			if a.File = strings.TrimSuffix(a.File, ".jsonl"); wanted(a.File) {
				found = append(found, a)
			}
		}
		if len(found) > len(s.servers[name]) {
			s.servers[name] = found
		}
	}
}

// Each runs a subtest for each server and calls compare for each answer. compare returns
// a difference, or "". ok is false if it cannot compare an answer.
func (s *Set) Each(t *testing.T, compare func(t *testing.T, server apiserver.Server, c Case, a Answer) (diff string, ok bool)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(s.servers)) {
		t.Run(name, func(t *testing.T) {
			server, compared := Server(t, name), 0
			for _, a := range s.servers[name] {
				c, known := s.cases[key{a.File, a.ID}]
				if !known {
					continue
				}
				diff, ok := compare(t, server, c, a)
				if ok {
					compared++
				}
				if diff != "" {
					t.Errorf("%s %s (-server +here):\n%s", a.File, a.ID, diff)
				}
			}
			if compared == 0 {
				t.Error("no answer was compared")
			}
			t.Logf("%d answers compared", compared)
		})
	}
}
