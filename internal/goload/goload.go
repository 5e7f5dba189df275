// Package goload runs analyzers on the packages of a Go module. It reads source files,
// and needs only a list of files from the go command. It needs no build, no cgo, no
// export data and no warm cache. It uses the network only if the caller allows this.
//
// It is cheap because it skips work:
//
//   - A package is not read if it does not import, directly or indirectly, a package that
//     is relevant for the analyzers. A package with an import that was not found is a
//     failure, because this import may be relevant.
//   - Dependencies outside the module are type-checked without function bodies, and only
//     if a declaration uses them. Helper libraries are an exception: functions that may
//     write to an API keep their bodies.
//   - Function bodies of generated files are removed, unless they write to an API, because
//     rules report nothing in these files.
//   - Only the packages of the module and helper libraries have facts. Facts stay in
//     memory.
package goload

import (
	"context"
	"errors"
	"go/token"
	"os"
	"runtime"
	"slices"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// Options select the packages and the analyzers. Only Analyzers is required.
type Options struct {
	// Dir is the directory in which the go command runs. Empty means the directory of the
	// process.
	Dir string
	// Env is the environment of the go command, each entry in the form "key=value". nil
	// means the environment of the process.
	Env []string
	// Patterns has package patterns in the syntax of the go command. Empty means ".".
	Patterns []string
	// BuildFlags has further flags for the go command, such as -tags=e2e.
	BuildFlags []string
	// If AllowDownload is true, the go command may use the network, download modules and
	// toolchains, and change go.mod. The environment and the settings of the user can
	// still forbid this. If AllowDownload is false, the go command does none of these.
	AllowDownload bool
	// If Tests is true, test files are included. Then the test variant of a package is
	// analysed in addition to the package, and has diagnostics only in test files.
	Tests bool
	// Analyzers run on every selected package. The analyzers that they require run too.
	Analyzers []*analysis.Analyzer
	// Relevant reports whether the analyzers search for uses of a package with this
	// import path. A package is skipped if it is not relevant and imports no relevant
	// package, directly or indirectly. If Relevant is nil, no package is skipped.
	Relevant func(importPath string) bool
	// Library reports whether functions of a relevant package in another module may write
	// to an API. Its arguments are the import path of the package and the paths of its
	// imports. If the module imports such a library, directly or through other libraries,
	// the analyzers in Facts run on it. Their diagnostics are ignored. If Library is nil,
	// no package is a library.
	Library func(importPath string, imports []string) bool
	// Facts has the analyzers that run on library packages.
	Facts []*analysis.Analyzer
	// Markers has texts that select a package. A package with one of these texts in a
	// file is not skipped.
	Markers []string
	// Listed is called before any package is analysed. Its argument has the modules of
	// the listed packages, sorted by path, without the user's own modules. Listed may be
	// nil.
	Listed func([]Module)
	// Visit is called for each package whose diagnostics are reported, with the results
	// of all analyzers. Calls do not overlap and have no particular order. Visit may be
	// nil.
	Visit func(*unit.Package, []unit.Result)
}

// Module is a version of a module.
type Module struct {
	Path, Version string
	// Replacement and ReplacementVersion are the module that a replace directive uses
	// instead. Both are empty without a replace directive. A directory has no version.
	Replacement, ReplacementVersion string
}

// Result is the result of Run.
type Result struct {
	// Diagnostics has the diagnostics of all packages. Packages are in the go command's
	// order of dependencies. In a package, diagnostics are sorted by position.
	Diagnostics []Diagnostic
	// Failures has the packages that could not be analysed completely, in the same order.
	// An import that was not found is a failure, too. The diagnostics of other packages
	// are complete, unless they depend on one of these packages.
	Failures []Failure
	// Notes has remarks of the go command.
	Notes []string
	// Packages is the number of packages that the patterns match, without test variants.
	// Skipped is the number of packages among them that were skipped because they are not
	// relevant.
	Packages, Skipped int
	// TestFiles is the number of _test.go files in the packages whose diagnostics are
	// reported. It is 0 if the option Tests is set.
	TestFiles int
	// Files has the files of the packages whose diagnostics are reported. Bytes is the
	// total size of all analysed packages.
	Files []string
	Bytes int64
	// Matched has the Go files of all packages that the patterns match, even if they were
	// skipped.
	Matched []string
	// Dependencies is the number of other packages that were type-checked.
	Dependencies int
	// Missing has the modules that must be downloaded first, each as "path@version". If
	// the modules are unknown, it has the packages in them. It is empty with
	// AllowDownload.
	Missing []string

	read  *digests
	graph *graph
}

// Reread returns the text of a file in an analysed package. It returns an error if the
// text differs from the analysed text, because edits of fixes have byte offsets in the
// analysed text.
func (r *Result) Reread(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err == nil && !r.read.has(name, text) {
		err = errors.New("it changed while it was read")
	}
	return text, err
}

// Failure is a package that could not be analysed completely.
type Failure struct {
	// Package is the import path of the package.
	Package string
	// Errors has the reasons.
	Errors []Error
	// More is the number of errors that are not in Errors.
	More int
}

// Error is one reason why a package failed.
type Error struct {
	// Pos is the position of the error. It is the zero Position if there is none.
	Pos token.Position
	Msg string
	// Internal is true if an analyzer failed, and not parsing, type-checking or loading.
	Internal bool
}

// Diagnostic is a diagnostic of an analyzer. Its positions do not refer to a
// token.FileSet, so that the syntax trees can be freed.
type Diagnostic struct {
	Analyzer *analysis.Analyzer
	// Pos and End are positions in the real file. Columns are in bytes. End is exclusive.
	Pos, End token.Position
	Message  string
	// Category is a text of the analyzer. The severity may depend on it, see
	// analyzers.Severity.
	Category string
	Related  []Related
	// Fixes has alternative fixes. At most one of them can be applied.
	Fixes []Fix
	// Own is true if the file belongs to the main module or to a module of the workspace.
	// Only such files may be changed.
	Own bool
}

// Related is a further place that belongs to a diagnostic.
type Related struct {
	Pos, End token.Position
	Message  string
}

// Fix is one way to fix the problem in a diagnostic.
type Fix struct {
	Message string
	Edits   []fixset.Edit
}

// ErrNoPackages is the error for patterns that match no package.
var ErrNoPackages = errors.New("no Go packages match")

// Run loads the packages and runs the analyzers. If a single package fails, this is in
// the result. An error means that no package was analysed.
func Run(ctx context.Context, o Options) (*Result, error) {
	l, err := list(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Listed != nil {
		o.Listed(modules(l.packages))
	}
	g := newGraph(o, l.packages)
	if g.matched == 0 && len(l.hidden) == 0 {
		if len(l.remarks) > 0 {
			return nil, errors.Join(ErrNoPackages, errors.New(l.remarks[0]))
		}
		return nil, ErrNoPackages
	}
	g.choose()
	g.cutCycles()
	if err := g.run(ctx, runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	failures := g.failHidden(l.hidden)
	r := g.result()
	r.Failures = append(r.Failures, failures...)
	r.Notes, r.Missing = l.remarks, l.missing
	slices.Sort(r.Files)
	r.Files = slices.Compact(r.Files)
	slices.Sort(r.Matched)
	r.Matched = slices.Compact(r.Matched)
	return r, nil
}

// result returns the results of all packages, in the order of the list.
func (g *graph) result() *Result {
	r := &Result{Packages: g.matched - g.nameless, Skipped: g.skipped, read: &g.read, graph: g}
	for _, n := range g.nodes {
		if !n.DepOnly {
			r.Matched = append(r.Matched, n.files(n.GoFiles, n.CgoFiles)...)
		}
		switch {
		case n.analysed:
			r.Bytes += n.bytes
			if n.reported {
				if !g.o.Tests {
					r.TestFiles += len(n.TestGoFiles) + len(n.XTestGoFiles)
				}
				r.Files = append(r.Files, n.files(n.GoFiles, n.CgoFiles)...)
			}
		case n.types != nil:
			r.Dependencies++
		}
		r.Diagnostics = append(r.Diagnostics, n.diagnostics...)
		if d := n.lacks; n.analysed && d != nil && len(n.errors) == 0 {
			// In packages that are only declared, the type checker does not report a
			// missing import. So the error is added here.
			n.fail(Error{Pos: parsePosition(d.Error.Pos), Msg: "could not load " + d.ImportPath + ": " + d.Error.Err})
		}
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

// maxErrors is the maximal number of errors of one package.
const maxErrors = 10
