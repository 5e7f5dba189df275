// Package baseline reads and writes lists of findings that a team has accepted for
// now, so that only new ones are reported.
//
// A finding is identified by rule, message, field, object and file, never by its
// line, so that a baseline survives edits elsewhere in the file. Equal findings are
// counted: a second copy of a known problem is new.
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

// Version is the version of the file format that Decode and Encode know.
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

// Baseline is a set of accepted findings. The zero value is empty. It is not safe
// for concurrent use.
type Baseline struct {
	// counts has the number of findings by key, so that a finding takes little
	// more than its text.
	counts map[string]int
}

// Add adds a finding whose file has a name in the baseline.
func (b *Baseline) Add(f rules.Finding, name string) { b.Keep(entry(f, name)) }

// Keep adds an entry.
func (b *Baseline) Keep(e Entry) {
	if b.counts == nil {
		b.counts = map[string]int{}
	}
	b.counts[key(&e)] += e.Count
}

// Accept reports whether a finding is accepted. Each entry accepts Count findings.
// name is the name of its file in the baseline.
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

// Has reports whether Accept would accept the finding.
func (b *Baseline) Has(f rules.Finding, name string) bool {
	e := entry(f, name)
	return b.counts[key(&e)] > 0
}

// Stale counts the accepted findings that did not occur, among those whose rule and
// file were checked.
func (b *Baseline) Stale(judged func(rule, file string) bool) int {
	stale := 0
	for k, n := range b.counts {
		if n == 0 {
			continue
		}
		if e := entryOf(k, n); judged(e.Rule, e.File) {
			stale += n
		}
	}
	return stale
}

// Len returns the number of findings.
func (b *Baseline) Len() int {
	total := 0
	for _, n := range b.counts {
		total += n
	}
	return total
}

// Entries returns the findings, sorted by file, object and message.
func (b *Baseline) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, k := range slices.Sorted(maps.Keys(b.counts)) {
			if n := b.counts[k]; n > 0 && !yield(entryOf(k, n)) {
				return
			}
		}
	}
}

// Encode writes entries with one entry per line, so that changes are readable and
// merge well. Its errors are the writer's.
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
