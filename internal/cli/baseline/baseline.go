// Package baseline remembers findings that a team has accepted for now, so
// that only new ones are reported.
//
// A finding is recognised by what it says of which field of which object in
// which file, and never by its line, so that a baseline survives edits
// elsewhere in the file. Equal findings are counted: a second copy of a known
// problem is new.
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
	// Object is nil where the finding is about no object.
	Object *rules.ObjectRef `json:"object,omitempty"`
	Path   string           `json:"path,omitempty"`
	// Message is the finding's, with N for the number of any line that it
	// mentions.
	Message string `json:"message"`
	// Count is how many findings are accepted; at least 1.
	Count int `json:"count"`
}

// identity is what makes two findings the same.
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

// compare sorts entries by file, then by object, then by what is said of it.
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

// line is a mention of a line's number, which changes when lines move.
var line = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(lines?) \d+`) })

// entry is the entry for one finding whose file is called name in the
// baseline.
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

// New makes a baseline of entries.
func New(entries []Entry) *Baseline {
	b := &Baseline{left: make(map[identity]int, len(entries))}
	for _, e := range entries {
		b.left[e.identity()] += e.Count
	}
	return b
}

// Accept reports whether the finding, whose file is called name in the
// baseline, is an accepted one, and takes it off: each entry accepts Count
// findings.
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

// Has reports whether Accept would accept the finding, and takes nothing off.
func (b *Baseline) Has(f rules.Finding, name string) bool {
	return b.left[entry(f, name).identity()] > 0
}

// Stale counts the accepted findings that did not appear, among those whose
// rule and file satisfy judged: the others may still be there.
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

// Add records a finding whose file is called name in the baseline.
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

// Len is how many findings are recorded.
func (r *Recorder) Len() int {
	n := 0
	for _, e := range r.entries {
		n += e.Count
	}
	return n
}

// Entries are the recorded findings, sorted.
func (r *Recorder) Entries() []Entry {
	entries := make([]Entry, 0, len(r.entries))
	for _, e := range r.entries {
		entries = append(entries, *e)
	}
	slices.SortFunc(entries, compare)
	return entries
}

// Encode gives the file's bytes: one entry a line, so that changes read and
// merge well.
func Encode(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"findings\": [", Version)
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		var one bytes.Buffer
		encoder := json.NewEncoder(&one)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(e); err != nil {
			return nil, err
		}
		b.Write(bytes.TrimRight(one.Bytes(), "\n"))
	}
	if len(entries) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	return b.Bytes(), nil
}

// maxSize bounds what is read of a baseline.
const maxSize = 256 << 20

// Decode is the inverse of Encode. It refuses what this version of kubevet
// does not understand, rather than to accept findings by mistake.
func Decode(r io.Reader) ([]Entry, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("more than %d MiB", maxSize>>20)
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
		return nil, fmt.Errorf("baseline format %d, but this kubevet knows only %d: write it anew with --write-baseline", *head.Version, Version)
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

// explain drops the prefix of the JSON package's errors.
func explain(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// Name is what a finding's file is called in a baseline that lies in the
// directory base: its path relative to base, with slashes, whatever the
// directory dir that the file's name is relative to. Base and dir are
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
	return filepath.ToSlash(rel)
}
