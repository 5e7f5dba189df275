// Package goload runs analyzers over the packages of a Go module. It reads the source
// and needs only the go command's list of files: no build, no cgo, no export data and no
// warm cache. It uses the network only if that is allowed.
//
// It is cheap because it skips work:
//
//   - Packages without an import that the analyzers look for are not read. Packages
//     with an import that was not found might have one, and are failures.
//   - Dependencies outside the module are type-checked without function bodies,
//     and only if a declaration uses them. The exception are helper libraries: of
//     these, functions that may write to an API keep their bodies.
//   - Function bodies of generated files are dropped, unless they write: nothing is
//     reported there.
//   - Only the module's own packages and helper libraries have facts, which stay in
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

// Options select packages and analyzers. Only Analyzers is required.
type Options struct {
	// Dir is where the go command runs; empty is the process's directory.
	Dir string
	// Env is its environment, each entry "key=value"; nil is the process's.
	Env []string
	// Patterns are packages as the go command takes them; empty means ".".
	Patterns []string
	// BuildFlags are further flags of the go command, such as -tags=e2e.
	BuildFlags []string
	// AllowDownload lets the go command do what the environment and the user's
	// settings of it allow: use the network, download modules and toolchains, and
	// change go.mod. By default it does none of that.
	AllowDownload bool
	// Tests includes test files. A package's test variant is then analysed
	// beside the package itself, and reports in its test files only.
	Tests bool
	// Analyzers run on every package, with the analyzers that they require.
	Analyzers []*analysis.Analyzer
	// Relevant reports whether the analyzers look for a package, given its
	// import path. Packages that neither are relevant nor import a relevant
	// one, directly or indirectly, are skipped. Nil skips nothing.
	Relevant func(importPath string) bool
	// Library reports whether functions of a relevant package of another module may
	// write to an API. Its arguments are the import paths of the package and of its
	// imports. Facts run on those that the module imports, directly or through others
	// of them. Their diagnostics are ignored. Nil means no package.
	Library func(importPath string, imports []string) bool
	// Facts are the analyzers for library packages.
	Facts []*analysis.Analyzer
	// Markers are texts that prevent a package from being skipped if one of
	// its files contains one of them.
	Markers []string
	// Listed, if it is not nil, is called before any package is analysed, with the
	// modules of the listed packages, sorted by path. The user's own are left out.
	Listed func([]Module)
	// Visit, if it is not nil, is called for each package whose diagnostics are
	// reported, with the results of all analyzers. Calls do not overlap and
	// have no particular order.
	Visit func(*unit.Package, []unit.Result)
}

// Module is a version of a module that packages belong to.
type Module struct {
	Path, Version string
	// Replacement and ReplacementVersion are what a replace directive puts in its place;
	// empty without one. A directory has no version.
	Replacement, ReplacementVersion string
}

// Result is the result of Run.
type Result struct {
	// Diagnostics are sorted by package, in the go command's order of
	// dependencies, and by position.
	Diagnostics []Diagnostic
	// Failures are the packages that could not be analysed completely, also because
	// an import was not found, in the same order. The diagnostics of other packages are complete unless they
	// depend on one of these.
	Failures []Failure
	// Notes are remarks of the go command.
	Notes []string
	// Packages counts the packages that the patterns matched, without test
	// variants; Skipped counts those of them that were not relevant.
	Packages, Skipped int
	// TestFiles counts the files ending in _test.go of the packages whose diagnostics are
	// reported. It is 0 with the option Tests.
	TestFiles int
	// Files are the files of the packages whose diagnostics are reported. Bytes
	// is the size of the files of all analysed packages.
	Files []string
	Bytes int64
	// Matched are the Go files of all packages that the patterns matched,
	// including skipped ones.
	Matched []string
	// Dependencies counts the other packages that were type-checked.
	Dependencies int
	// Missing are the modules that have to be downloaded, each "path@version", or the
	// packages in them if the modules are not known. It is empty with AllowDownload.
	Missing []string

	read  *digests
	graph *graph
}

// Reread returns the text of a file of an analysed package. It fails if the text is
// not the one that was analysed: the edits of fixes count bytes in that one.
func (r *Result) Reread(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err == nil && !r.read.has(name, text) {
		err = errors.New("it changed while it was read")
	}
	return text, err
}

// Failure is a package that was not analysed by all analyzers.
type Failure struct {
	// Package is its import path.
	Package string
	// Errors are the reasons.
	Errors []Error
	// More counts the errors that Errors omits.
	More int
}

// Error is one reason of a Failure.
type Error struct {
	// Pos is the zero Position if the error has no position.
	Pos token.Position
	Msg string
	// Internal reports whether an analyzer failed, rather than parsing,
	// type-checking or loading.
	Internal bool
}

// Diagnostic is a diagnostic with resolved positions, so that the package's
// syntax can be freed.
type Diagnostic struct {
	Analyzer *analysis.Analyzer
	// Pos and End are byte columns in the real file; End is exclusive.
	Pos, End token.Position
	Message  string
	// Category is the analyzer's name; analyzers.Severity reads more from it.
	Category string
	Related  []Related
	// Fixes are alternatives: at most one can be applied.
	Fixes []Fix
	// Own reports whether the file belongs to the main module, or to a module
	// of the workspace, so that it may be changed.
	Own bool
}

// Related is a further place that a diagnostic mentions.
type Related struct {
	Pos, End token.Position
	Message  string
}

// Fix is one way to fix what a diagnostic reports.
type Fix struct {
	Message string
	Edits   []fixset.Edit
}

// ErrNoPackages is the error if the patterns match nothing.
var ErrNoPackages = errors.New("no Go packages match")

// Run loads the packages and runs the analyzers. Failures of single packages
// are in the result; an error means that no package was analysed.
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

// result collects the results of the packages, in the order of the list.
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
			// The type checker does not report what declarations of others lack.
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

// maxErrors limits the reported errors of one package.
const maxErrors = 10
