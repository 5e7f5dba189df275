// Package unit runs analyzers on one package, and stores their facts for the packages
// that import it. Both drivers use it: goload, which reads a module from source, and
// vettool, which the go command runs for each package.
//
// Unlike golang.org/x/tools/go/analysis/checker, it does not need all packages in memory:
// a driver may free the syntax of a package after the analysis. If an analyzer panics,
// the other analyzers continue.
package unit

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Package is a type-checked package with its syntax.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	// TypeErrors has the errors of the type checker and of the parser. If there are any,
	// only analyzers with RunDespiteErrors run.
	TypeErrors []types.Error
	// Module is the module of the package. It is nil if unknown.
	Module *analysis.Module
	// OtherFiles has the files that are not Go files. IgnoredFiles has the Go files that
	// the build excludes. The paths are absolute.
	OtherFiles, IgnoredFiles []string
}

// NewInfo returns an empty Info with all maps that analyzers may use.
func NewInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

// ErrDoesNotCompile is the error of an analyzer that did not run because the package does
// not compile.
var ErrDoesNotCompile = errors.New("the package does not compile")

// Result is the result of one analyzer for a package.
type Result struct {
	Analyzer    *analysis.Analyzer
	Diagnostics []analysis.Diagnostic
	// Value is the result for the analyzers that require this one.
	Value any
	// Err is not nil if the analyzer, or an analyzer that it requires, failed.
	Err error
}

// Order returns the analyzers and all analyzers that they require. Required analyzers
// come first.
func Order(analyzers []*analysis.Analyzer) []*analysis.Analyzer {
	var order []*analysis.Analyzer
	seen := map[*analysis.Analyzer]bool{}
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			visit(req)
		}
		order = append(order, a)
	}
	for _, a := range analyzers {
		visit(a)
	}
	return order
}

// Run runs analyzers, and those that they require, on a package, one after the other. It
// returns their results in the order of Order. A panic is an error of its analyzer, and
// the others continue.
func Run(p *Package, analyzers []*analysis.Analyzer, facts *Facts) []Result {
	order := Order(analyzers)
	done := make(map[*analysis.Analyzer]*Result, len(order))
	results := make([]Result, len(order))
	for i, a := range order {
		r := &results[i]
		r.Analyzer = a
		done[a] = r
		inputs := make(map[*analysis.Analyzer]any, len(a.Requires))
		for _, req := range a.Requires {
			if err := done[req].Err; err != nil {
				r.Err = err
			}
			inputs[req] = done[req].Value
		}
		if r.Err == nil && len(p.TypeErrors) > 0 && !a.RunDespiteErrors {
			r.Err = ErrDoesNotCompile
		}
		if r.Err == nil {
			r.run(p, inputs, facts)
		}
	}
	return results
}

func (r *Result) run(p *Package, inputs map[*analysis.Analyzer]any, facts *Facts) {
	a := r.Analyzer
	pass := &analysis.Pass{
		Analyzer:          a,
		Fset:              p.Fset,
		Files:             p.Files,
		OtherFiles:        p.OtherFiles,
		IgnoredFiles:      p.IgnoredFiles,
		Pkg:               p.Types,
		TypesInfo:         p.Info,
		TypesSizes:        p.Sizes,
		TypeErrors:        p.TypeErrors,
		ResultOf:          inputs,
		Module:            p.Module,
		ReadFile:          p.readFile,
		Report:            func(d analysis.Diagnostic) { r.Diagnostics = append(r.Diagnostics, d) },
		ImportObjectFact:  facts.importObject,
		ImportPackageFact: facts.importPackage,
		ExportObjectFact:  func(o types.Object, f analysis.Fact) { facts.exportObject(p.Types, o, f) },
		ExportPackageFact: func(f analysis.Fact) { facts.exportPackage(p.Types, f) },
		AllObjectFacts:    func() []analysis.ObjectFact { return facts.allObjects(p.Types, a) },
		AllPackageFacts:   func() []analysis.PackageFact { return facts.allPackages(p.Types, a) },
	}
	defer func() {
		if v := recover(); v != nil {
			r.Diagnostics = nil
			r.Err = fmt.Errorf("%s: panic: %v (at %s)", a.Name, v, panicPosition(string(debug.Stack())))
		}
	}()
	value, err := a.Run(pass)
	if err != nil {
		r.Diagnostics, r.Err = nil, fmt.Errorf("%s: %w", a.Name, err)
		return
	}
	r.Value = value
	slices.SortStableFunc(r.Diagnostics, func(x, y analysis.Diagnostic) int { return cmp.Compare(x.Pos, y.Pos) })
}

// panicPosition returns the position in a stack trace at which a panic began, outside of
// package runtime.
func panicPosition(stack string) string {
	lines := strings.Split(stack, "\n")
	panicked := false
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "panic("):
			panicked = true
		case panicked && strings.HasPrefix(line, "\t") && i > 0 && !strings.HasPrefix(lines[i-1], "panic(") && !strings.HasPrefix(lines[i-1], "runtime."):
			file, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if j := strings.LastIndexAny(file, `/\`); j >= 0 {
				file = file[j+1:]
			}
			return file
		}
	}
	return "an unknown place"
}

// readFile reads a file of the package. Analyzers must not read other files, so these are
// an error.
func (p *Package) readFile(name string) ([]byte, error) {
	known := slices.Contains(p.OtherFiles, name) || slices.Contains(p.IgnoredFiles, name) ||
		slices.ContainsFunc(p.Files, func(f *ast.File) bool { return p.Fset.File(f.FileStart).Name() == name })
	if !known {
		return nil, fmt.Errorf("reading %s: not a file of the package", name)
	}
	return os.ReadFile(name)
}
