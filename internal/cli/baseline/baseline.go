// Package baseline reads and writes baselines. A baseline is a file with findings that a
// team accepts for now, so that kubevet reports only new findings.
//
// A baseline identifies a finding by rule, message, field, object and file. The line is
// not used, so that edits elsewhere in the file do not matter. Equal findings are
// counted, so that a second copy of a known problem is new.
package baseline

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// Version is the version of the file format that Decode reads and Encode writes.
const Version = 1

// Entry is an accepted finding, or several equal ones.
type Entry struct {
	Rule string `json:"rule"`
	// File is the file of the finding, with slashes, relative to the directory of the
	// baseline. "-" is standard input.
	File string `json:"file"`
	// Object is nil if the finding is not about an object.
	Object *rules.ObjectRef `json:"object,omitempty"`
	Path   string           `json:"path,omitempty"`
	// Message is the message of the finding, with N for each line number.
	Message string `json:"message"`
	// Count is the number of accepted findings, at least 1.
	Count int `json:"count"`
}

var lineNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(lines?) \d+`) })

// entry returns the entry for a finding. name is the name of its file in the baseline.
func entry(f rules.Finding, name string) Entry {
	return Entry{
		Rule:    f.Rule,
		File:    name,
		Object:  f.Object,
		Path:    f.Path,
		Message: lineNumber().ReplaceAllString(f.Message, "$1 N"),
		Count:   1,
	}
}

// Baseline is a set of accepted findings. The zero value is an empty set. It is not safe
// for concurrent use.
type Baseline struct {
	// counts has the number of findings for each key. A key is one string, so that a
	// finding needs little memory.
	counts map[string]int
}

// Add adds a finding. name is the name of its file in the baseline.
func (b *Baseline) Add(f rules.Finding, name string) { b.Keep(entry(f, name)) }

// Keep adds the findings of an entry.
func (b *Baseline) Keep(e Entry) {
	if b.counts == nil {
		b.counts = map[string]int{}
	}
	b.counts[key(&e)] += e.Count
}

// Accept reports whether the baseline has a finding, and removes it, so that an entry
// accepts at most Count findings. name is the name of the finding's file in the baseline.
func (b *Baseline) Accept(f rules.Finding, name string) bool {
	if len(b.counts) == 0 {
		return false
	}
	e := entry(f, name)
	k := key(&e)
	n := b.counts[k]
	if n == 0 {
		return false
	}
	b.counts[k] = n - 1
	return true
}

// Has returns the result of Accept without changing anything.
func (b *Baseline) Has(f rules.Finding, name string) bool {
	e := entry(f, name)
	return b.counts[key(&e)] > 0
}

// Stale returns the number of accepted findings that did not occur, although their rule
// and file were checked. checked reports whether they were.
func (b *Baseline) Stale(checked func(rule, file string) bool) int {
	stale := 0
	for k, n := range b.counts {
		if n == 0 {
			continue
		}
		if e := decodeKey(k, n); checked(e.Rule, e.File) {
			stale += n
		}
	}
	return stale
}

// Len returns the number of findings. Equal findings are counted separately.
func (b *Baseline) Len() int {
	total := 0
	for _, n := range b.counts {
		total += n
	}
	return total
}

// Entries returns the entries, sorted by file, object and message.
func (b *Baseline) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, k := range slices.Sorted(maps.Keys(b.counts)) {
			if n := b.counts[k]; n > 0 && !yield(decodeKey(k, n)) {
				return
			}
		}
	}
}

// Encode writes a baseline with one entry on each line. So differences between versions
// are readable, and git can merge them. It returns the errors of w.
func Encode(w io.Writer, entries iter.Seq[Entry]) error {
	if _, err := fmt.Fprintf(w, "{\n  \"version\": %d,\n  \"findings\": [", Version); err != nil {
		return err
	}
	some := false
	for e := range entries {
		before := "\n    "
		if some {
			before = ",\n    "
		}
		some = true
		one, err := quote.JSON(e, func(e *json.Encoder) { e.SetEscapeHTML(false) })
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		if _, err := w.Write(one); err != nil {
			return err
		}
	}
	end := "]\n}\n"
	if some {
		end = "\n  " + end
	}
	_, err := io.WriteString(w, end)
	return err
}

// Name returns the name of a file in a baseline: the path relative to base, the directory
// of the baseline, with slashes. file is relative to dir. base and dir are absolute.
func Name(base, dir, file string) string {
	if file == "-" {
		return file
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	rel, err := filepath.Rel(base, path)
	if err != nil { // the file is on another drive
		rel = path
	}
	name := filepath.ToSlash(rel)
	if !utf8.ValidString(name) { // a JSON string must be UTF-8
		name = quote.Name(name)
	}
	return name
}
