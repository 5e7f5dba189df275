// Package fixrun applies the fixes of findings to files, in rounds: each round
// checks the files as the rounds before left them, until no fix can be applied.
package fixrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules"
)

// Stdin is the name of standard input. It is never written.
const Stdin = "-"

// Options describe the files and the findings to fix.
type Options struct {
	// All also applies fixes that need a review.
	All bool
	// Roots are the directories, without links, below which files may be written.
	Roots []string
	// Shown is set if the result is shown and never written. Then files that must not
	// be replaced, such as those of a directory that is mounted read-only, are fixed too.
	Shown bool
	// Find returns the findings with fixes, of files whose text is overlay's if
	// it has one, and else the disk's.
	Find func(ctx context.Context, overlay map[string][]byte) ([]rules.Finding, error)
	// Path returns the path of a file by the name that findings have for it.
	Path func(name string) string
	// Stream returns what opens an input that is not a file, such as standard
	// input; nil for a file.
	Stream func(name string) func() (io.ReadCloser, error)
}

// Result is what the fixes change. Files are named as in findings.
type Result struct {
	// New has the text of each file that changes.
	New map[string][]byte
	// Fixed counts the fixes, Left those of the last round that could not be
	// applied.
	Fixed, Left int
	// Refused has the reason for each file with fixes that must not be written.
	Refused map[string]string

	o   Options
	old map[string][]byte
}

// maxRounds bounds the rounds. One is enough unless fixes conflict.
const maxRounds = 16

// Run computes the fixes in memory. Write writes them.
func Run(ctx context.Context, o Options) (*Result, error) {
	r := &Result{New: map[string][]byte{}, Refused: map[string]string{}, o: o, old: map[string][]byte{}}
	for round := range maxRounds {
		findings, err := o.Find(ctx, r.New)
		if err != nil {
			return r, err
		}
		if applied, err := r.round(findings, round == 0); err != nil || !applied {
			return r, err
		}
	}
	return r, nil
}

// round applies the fixes of findings that do not conflict, and reports whether
// it applied any. Rendering reads files from the disk, so findings in rendered
// objects count in the first round only.
func (r *Result) round(findings []rules.Finding, first bool) (bool, error) {
	texts := map[string]*lineIndex{}
	var list [][]fixset.Edit
	for _, f := range findings {
		if f.Fix == nil || !f.Fix.Safe && !r.o.All || len(f.RenderedBy) > 0 && !first {
			continue
		}
		edits, err := r.edits(f.Fix, texts)
		if err != nil {
			return false, err
		}
		if len(edits) > 0 {
			list = append(list, edits)
		}
	}
	files, err := r.apply(list, texts)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if _, had := r.old[f.Name]; !had {
			r.old[f.Name] = f.Old
		}
		r.New[f.Name] = f.New
	}
	return len(files) > 0, nil
}

// apply applies the fixes together. If together they break a document, it
// applies only the first fix of each file.
func (r *Result) apply(list [][]fixset.Edit, texts map[string]*lineIndex) ([]fixset.File, error) {
	read := func(name string) ([]byte, error) { return texts[name].raw, nil }
	set := &fixset.Set{}
	first := map[string]int{}
	for i, edits := range list {
		if _, had := first[edits[0].File]; !had {
			first[edits[0].File] = i
		}
		set.Add(edits)
	}
	files, err := set.Apply(read, checkManifest)
	if err != nil {
		return nil, err
	}
	r.Left = set.Skipped()
	if len(files) == 0 && len(list) > 0 {
		set = &fixset.Set{}
		for _, i := range slices.Sorted(maps.Values(first)) {
			set.Add(list[i])
		}
		if files, err = set.Apply(read, checkManifest); err != nil {
			return nil, err
		}
		r.Left = len(list) - set.Applied()
	}
	r.Fixed += set.Applied()
	return files, nil
}

// edits returns the edits of a fix in bytes; none if one of its files must not
// be written.
func (r *Result) edits(fix *rules.CodeFix, texts map[string]*lineIndex) ([]fixset.Edit, error) {
	var edits []fixset.Edit
	for _, e := range fix.Edits {
		if r.Refused[e.File] != "" {
			return nil, nil
		}
		text := texts[e.File]
		if text == nil {
			raw, err := r.current(e.File)
			if err != nil {
				r.Refused[e.File] = reason(err)
				return nil, nil
			}
			text = newLineIndex(raw)
			texts[e.File] = text
		}
		if text.odd != "" {
			r.Refused[e.File] = text.odd
			return nil, nil
		}
		start, ok := text.offset(e.Line, e.Column)
		end, ok2 := text.offset(e.EndLine, e.EndColumn)
		if !ok || !ok2 {
			r.Refused[e.File] = "it changed while it was read"
			return nil, nil
		}
		edits = append(edits, fixset.Edit{File: e.File, Start: start, End: end, New: e.New})
	}
	return edits, nil
}

// reason is the cause of an error of package os, without operation and path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// checkManifest refuses a text with more broken documents than before.
func checkManifest(name string, old, text []byte) ([]byte, error) {
	if fix.Broken(text) > fix.Broken(old) {
		return nil, fmt.Errorf("%s: the fixes break a document", quote.Name(name))
	}
	return text, nil
}

// current returns the text of a file after the rounds so far.
func (r *Result) current(name string) ([]byte, error) {
	if text, ok := r.New[name]; ok {
		return text, nil
	}
	if err := r.mayWrite(name); err != nil {
		return nil, err
	}
	return r.Original(name)
}

// Original reads an input as it was before the fixes.
func (r *Result) Original(name string) ([]byte, error) {
	open := r.o.Stream(name)
	if open == nil {
		return os.ReadFile(r.o.Path(name))
	}
	rc, err := open()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// mayWrite returns why a file must not be written.
func (r *Result) mayWrite(name string) error {
	if name == Stdin {
		return nil
	}
	if r.o.Stream(name) != nil {
		return errors.New("it is not a file, and cannot be written back")
	}
	if r.o.Shown {
		return atomicfile.CheckInside(r.o.Path(name), r.o.Roots)
	}
	return atomicfile.Check(r.o.Path(name), r.o.Roots)
}

// Write writes the files that changed. Files that could not be written, such as those
// that somebody else changed in the meantime, are removed from New. If the context
// ends, Write completes the current file and stops.
func (r *Result) Write(ctx context.Context) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(r.New)) {
		if name == Stdin {
			continue
		}
		if ctx.Err() != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		if err := atomicfile.Replace(r.o.Path(name), r.old[name], r.New[name]); err != nil {
			errs = append(errs, fmt.Errorf("%s is not changed: %s", quote.Name(name), reason(err)))
			delete(r.New, name)
		}
	}
	return errors.Join(errs...)
}

// Diff calls print with the name of each changed file, in order, and its change as a
// unified diff, until print fails.
func (r *Result) Diff(print func(name, diff string) error) error {
	for _, name := range slices.Sorted(maps.Keys(r.New)) {
		file := fixset.File{Name: name, Old: r.old[name], New: r.New[name]}
		shown := name
		if name == Stdin {
			shown = "stdin"
		}
		if err := print(shown, file.Diff(shown)); err != nil {
			return err
		}
	}
	return nil
}

// Refusals describes the files that were not fixed, and why.
func (r *Result) Refusals() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Refused)) {
		all = append(all, fmt.Sprintf("note: %s is not fixed: %s", quote.Name(name), r.Refused[name]))
	}
	return all
}
