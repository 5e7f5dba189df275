// Package fixrun applies the fixes of findings to files. Fixes may conflict, so it works
// in rounds. Each round checks the files as the last round has changed them. The last
// round is the one in which no fix can be applied.
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

// Stdin is the name of standard input, which is never written to.
const Stdin = "-"

// Options are the options of Run.
type Options struct {
	// If All is true, fixes that need a review are applied, too.
	All bool
	// Roots has the directories in which files may be written, without symbolic links.
	Roots []string
	// Shown is true if the result is shown and not written. Files that cannot be replaced
	// are then fixed, too, such as files in a read-only directory.
	Shown bool
	// Find returns the findings with their fixes. A text in overlay is checked instead of
	// the file on the disk.
	Find func(ctx context.Context, overlay map[string][]byte) ([]rules.Finding, error)
	// Path returns the path of a file name in findings.
	Path func(name string) string
	// Stream returns a function that opens an input that is not a file, such as standard
	// input. It returns nil for a file.
	Stream func(name string) func() (io.ReadCloser, error)
}

// Result has the changes that fixes make, with the file names in findings.
type Result struct {
	// New has the new text of each file that changes.
	New map[string][]byte
	// Fixed is the number of fixes that were applied. Left is the number of fixes that
	// could not be applied in the last round.
	Fixed, Left int
	// Refused has the files that need fixes but must not be written, with the reason.
	Refused map[string]string

	o   Options
	old map[string][]byte
}

// maxRounds is the maximal number of rounds. Without conflicts, one round is enough.
const maxRounds = 16

// Run applies the fixes in memory. Call Write to write the files.
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

// round applies the fixes that do not conflict, and reports whether it applied any.
// Rendering reads files from the disk and not the changed texts, so fixes of findings in
// rendered objects are applied only in the first round.
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

// apply applies fixes together. If this breaks a document, it applies only the first fix
// of each file.
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

// edits converts the edits of a fix to byte offsets. It returns nil if one of the files
// must not be written.
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
				r.Refused[e.File] = causeText(err)
				return nil, nil
			}
			text = newLineIndex(raw)
			texts[e.File] = text
		}
		if text.unsupported != "" {
			r.Refused[e.File] = text.unsupported
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

// causeText returns an error of package os without the operation and the path.
func causeText(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// checkManifest returns an error if the new text has more broken documents than the old
// text.
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

// Original returns the text of an input before the fixes.
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

// mayWrite returns the reason why a file must not be written, or nil.
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

// Write writes the changed files. If a file cannot be written, for example because
// another program has changed it, Write removes it from New. If the context ends, Write
// completes the current file and stops.
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
			errs = append(errs, fmt.Errorf("%s is not changed: %s", quote.Name(name), causeText(err)))
			delete(r.New, name)
		}
	}
	return errors.Join(errs...)
}

// Diff calls print with the name and the unified diff of each changed file, in the order
// of names. It stops at the first error of print.
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

// Refusals returns a text for each file that was not fixed, with the reason.
func (r *Result) Refusals() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Refused)) {
		all = append(all, fmt.Sprintf("note: %s is not fixed: %s", quote.Name(name), r.Refused[name]))
	}
	return all
}
