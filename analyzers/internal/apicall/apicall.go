// Package apicall finds every write to a Kubernetes API in a package of Go code. For each
// write it finds the client, the verb, the object and four settings: field manager, force,
// dry run and field validation.
//
// It recognizes calls by signature and import path, and does not depend on any version of
// the Kubernetes libraries. So one binary works with every release of the libraries,
// vendored or not, and with the generated clients of any project.
package apicall

import (
	"reflect"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer finds the writes of one package, for other analyzers. Its result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetcalls",
	Doc:              "resolve writes to Kubernetes APIs and their options",
	Run:              intact.Run(run),
	Requires:         []*analysis.Analyzer{intact.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
	FactTypes:        []analysis.Fact{new(packageFact), new(resultFact), new(writerFact), new(libraryFact), new(runnerFact), new(reviewsFact)},
}

// Result contains a package's writes to Kubernetes APIs.
type Result struct {
	// Relevant is true if the package can use Kubernetes clients: it imports a
	// client library, or a package of the same module that is Relevant itself.
	// If Relevant is false, the other fields are empty and rules have nothing
	// to check.
	Relevant bool
	// Calls are the writes in order of position.
	Calls []*Call
	// Constructions are the clients that the package builds, in order of position.
	Constructions []*Construction
	// Runners are the uses of functions of other modules that pass on reconcilers, in order
	// of position.
	Runners []Runner
	// Unresolved are the calls that look like writes but were not understood, in order of
	// position.
	Unresolved []Unresolved

	program *program
}

// CallAt returns the write at an SSA instruction, or nil.
func (r *Result) CallAt(i ssa.CallInstruction) *Call { return r.program.byInstr[i] }

// Object returns the value of the written object, or nil if it is not known.
func (r *Result) Object(c *Call) ssa.Value { return r.program.objectValue(c) }

// Broken returns the error that stopped the analysis of the package's calls, or nil. It is
// caused by a bug in package ssa or in this package.
func (r *Result) Broken() error { return r.program.broken }

// SSA returns the functions, methods and literals of the package in SSA form, in order of
// position. It builds the SSA form at the first call, and all analyzers of the package
// share it. It is nil for a package that is not Relevant or does not type-check.
func (r *Result) SSA() []*ssa.Function {
	if !r.Relevant {
		return nil
	}
	return r.program.functions()
}
