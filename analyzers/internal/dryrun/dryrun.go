package dryrun

import (
	"reflect"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer is the helper analyzer that other analyzers require. Its result is
// a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetdryrun",
	FactTypes:        []analysis.Fact{(*flagBound)(nil), (*predicate)(nil), (*writer)(nil), (*careless)(nil), (*blind)(nil), (*flagAdder)(nil), (*through)(nil), (*makes)(nil), (*changes)(nil), (*asks)(nil)},
	Doc:              "find where dry run is asked for, and writes that happen nevertheless",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// Mode is the kind of dry run that the user is taken to have asked for. A
// boolean, a list of metav1 and the like mean the same in both modes; a
// strategy (kubectl's DryRunStrategy, or a string flag) has one value in each.
type Mode uint8

const (
	// Client asks for a dry run that sends nothing to the server.
	Client Mode = iota
	// Server asks for one that the server does.
	Server
)

// Reach says whether code runs while dry run is asked for.
type Reach uint8

const (
	// Unclear is the zero value: some condition was not understood, or a caller is
	// unknown. Rules report nothing.
	Unclear Reach = iota
	// Guarded code never runs then.
	Guarded
	// Reached code runs then, whatever other conditions about dry run may
	// come out as.
	Reached
)

// Result is what the package does while dry run is asked for. All its methods
// take every source of the wish to say "dry run" at the same time.
type Result struct {
	calls *apicall.Result
	state *state
	// mu guards state, which remembers what it was asked: rules of one package
	// may run at the same time.
	mu sync.Mutex
}

// Need makes the package examined even if it neither writes to an API nor passes the
// wish to others. Rules about code with other effects call it. Without it, all answers
// about such a package are Unclear. It does nothing for dependencies and for packages
// that have nothing to do with Kubernetes.
func (r *Result) Need() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.need()
}

// Sources returns the sources from which a function, a literal or a declared one,
// learns of the user's wish, in order of kind and position. It returns nil if there are
// none.
func (r *Result) Sources(fn *ssa.Function) []*Source {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.sources(fn)
}

// Reach says whether an instruction runs while dry run is asked for, once its
// function is entered.
func (r *Result) Reach(i ssa.Instruction, m Mode) Reach {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.reach(i, m)
}

// Entry reports whether a function is entered while dry run is asked for, as far as its
// callers in the package show.
//
// Guarded means that there are callers and all of them guard their calls. Reached means
// that one caller provably does not, or that the function has no callers here and can
// be called from outside. Unclear means that the function is only used as a value.
func (r *Result) Entry(fn *ssa.Function, m Mode) Reach {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.entry(fn, m)
}

// Hidden reports whether code that does not compile may call a function, directly or
// not: it may know of the dry run.
func (r *Result) Hidden(fn *ssa.Function) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for fn.Parent() != nil && !r.state.hidden[fn] {
		fn = fn.Parent()
	}
	return r.state.hidden[fn]
}

// Writes returns the writes that run while dry run is asked for and that do not get the
// wish, once fn is entered. They are in fn, in functions of the package that it calls,
// or in other packages of the module. Writes whose options are unknown or come from a
// caller are left out.
func (r *Result) Writes(fn *ssa.Function, m Mode) []*Write {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.writes(fn, m)
}

// Consults reports whether a function, or one of the package that it calls,
// looks at a source of the wish at all.
func (r *Result) Consults(fn *ssa.Function) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.consults(fn)
}

// Chosen reports whether the client of a call depends on the wish. Such a client is
// picked by a condition, built by a function that knows of the wish, or kept in a field
// that sometimes holds a dry-running client.
func (r *Result) Chosen(call ssa.CallInstruction) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.own == nil || r.state.conditional(call, Server)
}
