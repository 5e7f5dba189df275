// Package goload runs analyzers over the packages of a Go module, from source
// and with nothing but the go command's list of files: no build, no export
// data, no cache that must be warm.
//
// What makes that cheap is what it leaves out. Packages that have nothing to
// do with what the analyzers look for are not read. Of dependencies outside
// the module only the declarations are parsed and checked, without the bodies
// of functions, and only those dependencies that a declaration names. The same
// holds for the bodies of generated files, of which nothing is told. Facts are
// made in the module's own packages only and stay in memory.
package goload

import (
	"context"
	"errors"
	"go/token"
	"runtime"
	"slices"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// Options say what to analyse, and how. Analyzers is all that is needed.
type Options struct {
	// Dir is where the go command runs; empty is the process's directory.
	Dir string
	// Env is its environment, each entry "key=value"; nil is the process's.
	Env []string
	// Patterns are packages as the go command takes them; none is ".".
	Patterns []string
	// BuildFlags are further flags of the go command, such as -tags=e2e.
	BuildFlags []string
	// Tests includes test files. A package's test variant is then analysed
	// beside the package itself, and tells only of its test files.
	Tests bool
	// Analyzers are run on every package, with all that they require.
	Analyzers []*analysis.Analyzer
	// Relevant reports whether a package, by its import path, is one that the
	// analyzers look for. A package that is not and that imports none, directly
	// or not, is skipped. Nil is to skip nothing.
	Relevant func(importPath string) bool
	// Markers are texts that keep a package from being skipped: any of them
	// in one of its files does.
	Markers []string
	// Visit, if it is not nil, gets every package whose diagnostics are told
	// with what all analyzers made of it. Calls do not overlap and have no
	// particular order.
	Visit func(*unit.Package, []unit.Result)
}

// Result is what came of a run.
type Result struct {
	// Diagnostics are sorted by package, in the go command's order of
	// dependencies, and by position.
	Diagnostics []Diagnostic
	// Failures are the packages that could not be analysed in full, in the
	// same order. Diagnostics of all others are complete, as far as they do
	// not depend on these.
	Failures []Failure
	// Notes are remarks of the go command.
	Notes []string
	// Packages is how many packages the patterns matched, variants for tests
	// not counted; Skipped is how many of these were not relevant.
	Packages, Skipped int
	// Files are those of the packages whose diagnostics are told, Bytes counts
	// what was read of all that were analysed.
	Files []string
	Bytes int64
	// Matched are the Go files of all packages that the patterns matched,
	// those that were skipped included.
	Matched []string
	// Dependencies is how many other packages were type-checked.
	Dependencies int
}

// Failure is a package that was not analysed, or not by all analyzers.
type Failure struct {
	// Package is its import path.
	Package string
	// Errors say why, each with its position where it has one.
	Errors []Error
	// More is how many errors were left out.
	More int
}

// Error is one reason of a Failure.
type Error struct {
	// Pos is the zero Position where no place is meant.
	Pos token.Position
	Msg string
	// Internal is set for a mistake of an analyzer, rather than one in the
	// code or in how it can be loaded.
	Internal bool
}

// Diagnostic is a diagnostic that no longer needs the syntax it is about.
type Diagnostic struct {
	Analyzer *analysis.Analyzer
	// Pos and End are byte columns in the real file; End is exclusive.
	Pos, End token.Position
	Message  string
	Related  []Related
	// Fixes are alternatives: at most one is to be applied.
	Fixes []Fix
	// Own reports whether the file belongs to the main module (or to one of
	// the workspace's), so that it may be changed.
	Own bool
}

// Related is a further place that a diagnostic mentions.
type Related struct {
	Pos, End token.Position
	Message  string
}

// Fix is one way to mend what a diagnostic is about.
type Fix struct {
	Message string
	Edits   []fixset.Edit
}

// ErrNoPackages is the error of patterns that match nothing.
var ErrNoPackages = errors.New("no Go packages match")

// Run loads the packages and runs the analyzers. What is wrong with single
// packages is in the result; an error means that nothing could be done.
func Run(ctx context.Context, o Options) (*Result, error) {
	listed, notes, err := list(ctx, o, o.Patterns, false)
	if err != nil {
		return nil, err
	}
	g := newGraph(o, listed)
	if g.matched == 0 {
		if len(notes) > 0 {
			return nil, errors.Join(ErrNoPackages, errors.New(notes[0]))
		}
		return nil, ErrNoPackages
	}
	g.choose()
	if err := g.processCgo(ctx); err != nil {
		return nil, err
	}
	if err := g.discover(ctx); err != nil {
		return nil, err
	}
	g.cutCycles()
	if err := g.check(ctx, max(1, runtime.GOMAXPROCS(0))); err != nil {
		return nil, err
	}
	r := g.result()
	r.Notes = notes
	slices.Sort(r.Files)
	r.Files = slices.Compact(r.Files)
	slices.Sort(r.Matched)
	r.Matched = slices.Compact(r.Matched)
	return r, nil
}

// result collects what the packages came to, in the order of the list.
func (g *graph) result() *Result {
	r := &Result{Packages: g.matched - g.nameless, Skipped: g.skipped}
	for _, n := range g.nodes {
		if !n.DepOnly {
			r.Matched = append(r.Matched, n.files(n.GoFiles, n.CgoFiles)...)
		}
		switch {
		case n.analysed:
			r.Bytes += n.bytes
			if n.told {
				r.Files = append(r.Files, n.files(n.GoFiles, n.CgoFiles)...)
			}
		case n.types != nil:
			r.Dependencies++
		}
		r.Diagnostics = append(r.Diagnostics, n.diagnostics...)
		if len(n.errors) > 0 {
			f := Failure{Package: n.listed.ImportPath, Errors: n.errors}
			if len(f.Errors) > maxErrors {
				f.More = len(f.Errors) - maxErrors
				f.Errors = slices.Clip(f.Errors[:maxErrors])
			}
			r.Failures = append(r.Failures, f)
		}
	}
	return r
}

// maxErrors is how many errors of one package are told.
const maxErrors = 10
