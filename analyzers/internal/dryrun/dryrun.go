package dryrun

import (
	"reflect"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer is the helper analyzer that other analyzers require. Its result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetdryrun",
	FactTypes:        []analysis.Fact{(*flagBound)(nil), (*predicate)(nil), (*writer)(nil), (*ignoringCommand)(nil), (*ignoresStruct)(nil), (*flagAdder)(nil), (*interfaceCalls)(nil), (*conversions)(nil), (*reconcileWrites)(nil), (*checksDryRun)(nil), (*respectsParam)(nil), (*buildsWriter)(nil), (*settingReads)(nil), (*buildsClient)(nil)},
	Doc:              "find where dry run is asked for, and writes that happen nevertheless",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// Mode is the kind of dry run that the user is assumed to want. A boolean, or a list
// such as the field DryRun of metav1.CreateOptions, has the same value in the modes
// Client and Server. A strategy has different values in the two modes. It is of a type
// such as kubectl's DryRunStrategy, or a string flag.
type Mode uint8

const (
	// Client asks for a dry run that sends nothing to the server.
	Client Mode = iota
	// Server asks the server to do the dry run.
	Server
)

// Reach says whether code runs during a dry run.
type Reach uint8

const (
	// Unclear is the zero value: a condition was not understood, or a caller is
	// unknown. Rules report nothing.
	Unclear Reach = iota
	// Guarded code never runs during a dry run.
	Guarded
	// Reached code runs during a dry run, whatever the outcome of conditions that are
	// not on the dry run.
	Reached
)

// Result says what the package does during a dry run. All its methods assume that every
// source of the package asks for a dry run.
type Result struct {
	calls *apicall.Result
	state *state
	// mu guards state, which caches answers. Rules of one package may run at the same time.
	mu sync.Mutex
}

// Need ensures that the package is analyzed even if it neither writes to an API nor
// passes a dry run to other packages. Without Need, all answers about such a package
// are Unclear. Rules about effects other than API writes call Need. It has no effect on
// dependencies, and on packages that do not use Kubernetes.
func (r *Result) Need() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.need()
}

// Sources returns the sources in the scope of a function, in order of kind and
// position. fn may be a function literal. It returns nil if there are none.
func (r *Result) Sources(fn *ssa.Function) []*Source {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.sources(fn)
}

// Reach says whether an instruction runs during a dry run. It assumes that the function
// of the instruction is called.
func (r *Result) Reach(i ssa.Instruction, m Mode) Reach {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.reach(i, m)
}

// Entry says whether a function is called during a dry run, as far as the package shows
// its callers.
//
// The result is:
//
//   - Guarded if the function has callers, and all of them prevent the call in a dry
//     run
//   - Reached if one caller certainly calls it in a dry run, or if it has no callers in
//     the package and other packages can call it
//   - Unclear in other cases, for example if the function is only used as a value
func (r *Result) Entry(fn *ssa.Function, m Mode) Reach {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.entry(fn, m)
}

// Hidden reports whether code that does not compile may call a function, directly or
// indirectly. That code may check the dry run.
func (r *Result) Hidden(fn *ssa.Function) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for fn.Parent() != nil && !r.state.hidden[fn] {
		fn = fn.Parent()
	}
	return r.state.hidden[fn]
}

// Writes returns the real writes that run during a dry run if fn is called. The writes
// are in fn, in functions of the package that fn calls, or in other packages of the
// module. Writes whose options are unknown, or come from a caller, are left out.
func (r *Result) Writes(fn *ssa.Function, m Mode) []*Write {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.writes(fn, m)
}

// Checks reports whether a function, or a function of the package that it calls, checks
// a source.
func (r *Result) Checks(fn *ssa.Function) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.checks(fn)
}

// ClientChosen reports whether the dry run chooses the client of a call. It does so in
// one of these ways:
//
//   - A condition on the dry run selects the client.
//   - A function that checks the dry run builds the client.
//   - The client is in a field that holds a dry-run client in some cases.
func (r *Result) ClientChosen(call ssa.CallInstruction) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.analyzed == nil || r.state.clientChosen(call, Server)
}
