// Package baseline reads and writes lists of findings that a team has accepted for
// now, so that only new ones are reported.
//
// A finding is identified by rule, message, field, object and file, never by its
// line, so that a baseline survives edits elsewhere in the file. Equal findings are
// counted: a second copy of a known problem is new.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// Version is the version of the file format that Read and Encode know.
const Version = 1

// Entry is one accepted finding, or several equal ones.
type Entry struct {
	Rule string `json:"rule"`
	// File is the finding's file, with slashes, relative to the directory of
	// the baseline; "-" is standard input.
	File string `json:"file"`
	// Object is nil if the finding is not about an object.
	Object *rules.ObjectRef `json:"object,omitempty"`
	Path   string           `json:"path,omitempty"`
	// Message is the message, with N in place of line numbers.
	Message string `json:"message"`
	// Count is the number of accepted findings; at least 1.
	Count int `json:"count"`
}

// identity returns what makes two findings the same.
type identity struct {
	rule, file, path, message string
	object                    rules.ObjectRef
}

func (e Entry) identity() identity {
	id := identity{rule: e.Rule, file: e.File, path: e.Path, message: e.Message}
	if e.Object != nil {
		id.object = *e.Object
	}
	return id
}

// compare orders entries by file, object, and message.
func compare(a, b Entry) int {
	x, y := a.identity(), b.identity()
	return cmp.Or(
		cmp.Compare(x.file, y.file),
		cmp.Compare(x.object.Kind, y.object.Kind),
		cmp.Compare(x.object.Namespace, y.object.Namespace),
		cmp.Compare(x.object.Name, y.object.Name),
		cmp.Compare(x.object.APIVersion, y.object.APIVersion),
		cmp.Compare(x.rule, y.rule),
		cmp.Compare(x.path, y.path),
		cmp.Compare(x.message, y.message),
	)
}

// line matches a line number in messages.
var line = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(lines?) \d+`) })

// entry returns the entry of a finding whose file has a name in the baseline.
func entry(f rules.Finding, name string) Entry {
	return Entry{
		Rule:    f.Rule,
		File:    name,
		Object:  f.Object,
		Path:    f.Path,
		Message: line().ReplaceAllString(f.Message, "$1 N"),
		Count:   1,
	}
}

// Baseline is a set of accepted findings. The zero value accepts none. It is
// not safe for concurrent use.
type Baseline struct {
	left map[identity]int
}

// New returns a baseline with entries.
func New(entries []Entry) *Baseline {
	b := &Baseline{left: make(map[identity]int, len(entries))}
	for _, e := range entries {
		b.left[e.identity()] += e.Count
	}
	return b
}

// Accept reports whether a finding is accepted. Each entry accepts Count findings.
// name is the name of its file in the baseline.
func (b *Baseline) Accept(f rules.Finding, name string) bool {
	if len(b.left) == 0 {
		return false
	}
	id := entry(f, name).identity()
	n, ok := b.left[id]
	if !ok || n == 0 {
		return false
	}
	b.left[id] = n - 1
	return true
}

// Has reports whether Accept would accept the finding.
func (b *Baseline) Has(f rules.Finding, name string) bool {
	return b.left[entry(f, name).identity()] > 0
}

// Stale counts the accepted findings that did not occur, among those whose rule and
// file were checked.
func (b *Baseline) Stale(judged func(rule, file string) bool) int {
	stale := 0
	for id, n := range b.left {
		if n > 0 && judged(id.rule, id.file) {
			stale += n
		}
	}
	return stale
}

// Recorder collects the findings of a run for a new baseline. The zero value
// is ready. It is not safe for concurrent use.
type Recorder struct {
	entries map[identity]*Entry
}

// Add records a finding whose file has a name in the baseline.
func (r *Recorder) Add(f rules.Finding, name string) { r.add(entry(f, name)) }

// Keep records an entry of an earlier baseline.
func (r *Recorder) Keep(e Entry) { r.add(e) }

func (r *Recorder) add(e Entry) {
	if r.entries == nil {
		r.entries = map[identity]*Entry{}
	}
	if known := r.entries[e.identity()]; known != nil {
		known.Count += e.Count
		return
	}
	r.entries[e.identity()] = &e
}

// Len returns the number of recorded findings.
func (r *Recorder) Len() int {
	n := 0
	for _, e := range r.entries {
		n += e.Count
	}
	return n
}

// Entries returns the recorded findings, sorted.
func (r *Recorder) Entries() []Entry {
	entries := make([]Entry, 0, len(r.entries))
	for _, e := range r.entries {
		entries = append(entries, *e)
	}
	slices.SortFunc(entries, compare)
	return entries
}

// Encode encodes entries with one entry per line, so that changes are readable and
// merge well.
func Encode(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"findings\": [", Version)
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		one, err := quote.JSON(e, func(e *json.Encoder) { e.SetEscapeHTML(false) })
		if err != nil {
			return nil, err
		}
		b.Write(one)
	}
	if len(entries) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	return b.Bytes(), nil
}

// MaxSize is the maximal size of a baseline in bytes.
const MaxSize = 256 << 20

// Decode parses a baseline. It returns an error for anything unknown, so that no
// finding is accepted by mistake.
func Decode(r io.Reader) ([]Entry, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("more than %d MiB", MaxSize>>20)
	}
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("not a baseline: %w", explain(err))
	}
	if head.Version == nil {
		return nil, errors.New(`not a baseline: it has no "version"`)
	}
	if *head.Version != Version {
		return nil, fmt.Errorf("baseline format %d, but this kubevet knows only %d: write it again with --write-baseline", *head.Version, Version)
	}
	var file struct {
		Version  int     `json:"version"`
		Findings []Entry `json:"findings"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("not a baseline: %w", explain(err))
	}
	for i, e := range file.Findings {
		if e.Rule == "" || e.File == "" || e.Message == "" || e.Count < 1 {
			return nil, fmt.Errorf("not a baseline: findings[%d] needs a rule, a file, a message and a count of at least 1", i)
		}
	}
	return file.Findings, nil
}

// explain removes the prefix of errors of encoding/json.
func explain(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// Name returns the name of a file in a baseline in the directory base: its path
// relative to base, with slashes. file is relative to dir. Base and dir are
// absolute.
func Name(base, dir, file string) string {
	if file == "-" {
		return file
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	rel, err := filepath.Rel(base, path)
	if err != nil { // another drive
		rel = path
	}
	name := filepath.ToSlash(rel)
	if !utf8.ValidString(name) { // JSON cannot hold it
		name = quote.Name(name)
	}
	return name
}
