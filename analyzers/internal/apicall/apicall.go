// Package apicall resolves every write to a Kubernetes API in a package of Go code: its
// client, verb and object, and the settings that rules ask for. These are the field
// manager, force, dry-run and field validation.
//
// It finds calls by signature and import path, and never links a version of the
// Kubernetes libraries. So one binary understands every release of them, vendored or
// not, and the generated clients of any project.
package apicall

import (
	"reflect"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer is the helper analyzer that other analyzers require. Its result is
// a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetcalls",
	Doc:              "resolve writes to Kubernetes APIs and their options",
	Run:              intact.Run(run),
	Requires:         []*analysis.Analyzer{intact.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
	FactTypes:        []analysis.Fact{new(packageFact), new(resultFact), new(writerFact), new(libraryFact)},
}

// Result contains a package's writes to Kubernetes APIs.
type Result struct {
	// Relevant reports whether the package, or one of its module that it imports, has
	// to do with Kubernetes clients at all. If it is false, the other fields are empty
	// and rules have nothing to do.
	Relevant bool
	// Calls are the writes in order of their position.
	Calls []*Call
	// Constructions are the clients that the package builds, in order of
	// their position.
	Constructions []*Construction
	// Unresolved counts calls that look like writes but were not understood.
	Unresolved int

	program *program
}

// CallAt returns the write that is an SSA instruction, or nil.
func (r *Result) CallAt(i ssa.CallInstruction) *Call { return r.program.byInstr[i] }

// Broken returns why the calls of the package are not followed; nil if they are. The
// cause is a bug in package ssa or in this package.
func (r *Result) Broken() error { return r.program.broken }

// SSA returns the functions of the package's source in SSA form, declared ones, methods
// and literals, in order of position. It is built on first use, and all analyzers of
// the package share it. It is nil for a package that is not Relevant or does not
// type-check.
func (r *Result) SSA() []*ssa.Function {
	if !r.Relevant {
		return nil
	}
	return r.program.functions()
}
