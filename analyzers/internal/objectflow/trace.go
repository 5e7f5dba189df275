package objectflow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Question asks which objects reach which calls.
type Question struct {
	// Reads are the calls that return objects. Answers have the order of Reads. The
	// calls need not be those that ReadOf finds: a write that returns an object is
	// allowed.
	Reads []Read
	// Sinks maps each call that objects may reach to one value: the argument or
	// receiver that may be the object or its JSON.
	Sinks map[ssa.CallInstruction]ssa.Value
	// Cleared is set if the analysis stops at code that may set or clear the object's
	// managedFields. Calls of functions whose bodies are not known are such code.
	Cleared bool
	// Visit, if it is not nil, is called for each instruction that an object can reach.
	// holds reports whether a value is the object.
	Visit func(read Read, instr ssa.Instruction, holds func(ssa.Value) bool)
}

// Answer says that the object of a read reaches a sink.
type Answer struct {
	Read Read
	Sink ssa.CallInstruction
	// Via holds the calls of the package's functions between the read and the sink, in
	// order. Each of these functions takes or returns the object.
	Via []ssa.CallInstruction
}

// maxDepth is the largest number of nested functions through which an object is
// followed.
const maxDepth = 6

// tracer answers one question.
type tracer struct {
	question Question
	result   *Result
	singles  map[*ssa.Alloc]ssa.Value
	naming   map[*ssa.Alloc]bool      // variables whose place is being computed
	reads    map[*ssa.Function][]Read // reads in each function
	reaching map[*ssa.Function]bool   // functions that lead to a sink; nil means all
	passed   map[entry]*passage
	returns  map[*ssa.Function]*returned
	depth    int
}

// entry identifies a parameter or a captured variable of a function by its index. The
// captured variables of a literal come after its parameters.
type entry struct {
	fn    *ssa.Function
	index int
}

// passage says what a function does with an object argument.
type passage struct {
	sinks     []Answer // without their reads
	unchanged bool     // the object is unchanged when the function returns
	results   map[int]bool
}

// returned has the objects that a function has read and returns. The keys are the indexes
// of results and entries that hold an object.
type returned struct {
	results map[int]provenance
	entries map[int]provenance
}

// provenance is the read of an object, and the calls that passed the object on.
type provenance struct {
	read Read
	via  []ssa.CallInstruction
}

// source is where the analysis of one function starts: at a call that returns the
// object or stores it in an argument, or at an entry.
type source struct {
	call       ssa.CallInstruction
	into       []ssa.Value // arguments in which the call stores the object
	results    []int
	cells      []place // captured variables in which the call stores the object
	entry      int     // index of a parameter or captured variable, if call is nil
	provenance provenance
}

// outcome is the result of the analysis of one function for one source.
type outcome struct {
	sinks     []Answer
	unchanged bool
	results   map[int]bool
	entries   map[int]bool
}

// Ask returns one answer for each read and each sink that the read's object reaches. It
// orders answers by their reads, then by the positions of their sinks.
func (r *Result) Ask(q Question) []Answer {
	if len(q.Reads) == 0 || len(q.Sinks) == 0 && q.Visit == nil {
		return nil
	}
	t := newTracer(r, q)
	order := map[ssa.CallInstruction]int{}
	for i, read := range q.Reads {
		if fn := read.Call.Parent(); fn != nil {
			t.reads[fn] = append(t.reads[fn], read)
			order[read.Call] = i
		}
	}
	t.findReaching()
	var answers []Answer
	for _, fn := range r.functions() {
		if len(fn.Blocks) == 0 || !t.reaches(fn) {
			continue
		}
		for _, s := range t.sources(fn) {
			answers = append(answers, t.follow(fn, s, false).sinks...)
		}
	}
	slices.SortStableFunc(answers, func(a, b Answer) int {
		if d := order[a.Read.Call] - order[b.Read.Call]; d != 0 {
			return d
		}
		if d := int(a.Sink.Pos() - b.Sink.Pos()); d != 0 {
			return d
		}
		return len(a.Via) - len(b.Via)
	})
	return slices.CompactFunc(answers, func(a, b Answer) bool {
		return a.Read.Call == b.Read.Call && a.Sink == b.Sink
	})
}

func newTracer(r *Result, q Question) *tracer {
	return &tracer{
		question: q, result: r,
		singles: map[*ssa.Alloc]ssa.Value{},
		naming:  map[*ssa.Alloc]bool{},
		reads:   map[*ssa.Function][]Read{},
		passed:  map[entry]*passage{},
		returns: map[*ssa.Function]*returned{},
	}
}

// findReaching finds the functions that lead to a sink by calls in the package. Only
// these functions are analyzed.
func (t *tracer) findReaching() {
	if t.question.Visit != nil {
		return
	}
	t.reaching = map[*ssa.Function]bool{}
	for call := range t.question.Sinks {
		t.reaching[call.Parent()] = true
	}
	for grown := true; grown; {
		grown = false
		for _, fn := range t.result.functions() {
			if !t.reaching[fn] && t.usesAny(fn, func(f *ssa.Function) bool { return t.reaching[f] }) {
				t.reaching[fn], grown = true, true
			}
		}
	}
}

func (t *tracer) reaches(fn *ssa.Function) bool { return t.reaching == nil || t.reaching[fn] }

// usesAny reports whether a function calls, creates or passes on a function for which
// in returns true.
func (t *tracer) usesAny(fn *ssa.Function, in func(*ssa.Function) bool) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				if in(instr.Fn.(*ssa.Function)) {
					return true
				}
			case ssa.CallInstruction:
				if slices.ContainsFunc(t.result.targets(instr), in) {
					return true
				}
				for _, arg := range instr.Common().Args {
					if f, ok := arg.(*ssa.Function); ok && in(f) {
						return true
					}
				}
			}
		}
	}
	return false
}

// sources returns the calls in a function that read an object, and the calls of
// functions of the package that have read an object and return it.
func (t *tracer) sources(fn *ssa.Function) []source {
	var all []source
	direct := map[ssa.CallInstruction]bool{}
	for _, read := range t.reads[fn] {
		s := source{call: read.Call, provenance: provenance{read: read}}
		if read.Into != nil {
			s.into = []ssa.Value{read.Into}
		} else {
			s.results = []int{read.Result}
		}
		direct[read.Call] = true
		all = append(all, s)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && !direct[call] {
				all = append(all, t.sourcesOfCall(call)...)
			}
		}
	}
	return all
}

// sourcesOfCall returns the objects that functions of the package have read and that a
// call returns, stores in an argument or stores in a captured variable.
func (t *tracer) sourcesOfCall(call ssa.CallInstruction) []source {
	var all []source
	one := func(o provenance) source {
		o.via = append(slices.Clone(o.via), call)
		return source{call: call, provenance: o}
	}
	for _, f := range t.result.targets(call) {
		g := t.returnedBy(f)
		for _, i := range sortedKeys(g.results) {
			s := one(g.results[i])
			s.results = []int{i}
			all = append(all, s)
		}
		args := entryArgs(call, f)
		for _, i := range sortedKeys(g.entries) {
			if i < len(args) {
				s := one(g.entries[i])
				s.into = []ssa.Value{args[i]}
				all = append(all, s)
			}
		}
	}
	for _, c := range closures(call) {
		f := c.Fn.(*ssa.Function)
		g := t.returnedBy(f)
		for _, i := range sortedKeys(g.entries) {
			if j := i - len(f.Params); j >= 0 {
				o := g.entries[i]
				s := source{call: call, provenance: o}
				s.cells = []place{t.captured(c.Bindings[j])}
				all = append(all, s)
			}
		}
	}
	return all
}

// entryPlace returns the place of an object that enters a function.
func entryPlace(fn *ssa.Function, index int) place {
	if index < len(fn.Params) {
		return place{root: fn.Params[index]}
	}
	v := fn.FreeVars[index-len(fn.Params)]
	if p, ok := v.Type().Underlying().(*types.Pointer); ok && isReference(p.Elem()) {
		return place{v, "*"}
	}
	return place{root: v}
}

// captured returns the place of the object in a variable that a function literal
// captures.
func (t *tracer) captured(binding ssa.Value) place {
	if p, ok := binding.Type().Underlying().(*types.Pointer); ok && isReference(p.Elem()) {
		return t.content(binding)
	}
	return t.placeOf(binding)
}

// entryArgs returns the values that become the parameters of a function, with the receiver
// first.
func entryArgs(call ssa.CallInstruction, fn *ssa.Function) []ssa.Value {
	common := call.Common()
	if common.IsInvoke() {
		return append([]ssa.Value{common.Value}, common.Args...)
	}
	return common.Args
}

// closures returns the function literals with captured variables that a call runs, or
// that are its arguments.
func closures(call ssa.CallInstruction) []*ssa.MakeClosure {
	var all []*ssa.MakeClosure
	for _, v := range append([]ssa.Value{call.Common().Value}, call.Common().Args...) {
		for {
			if c, ok := v.(*ssa.ChangeType); ok {
				v = c.X
				continue
			}
			break
		}
		if c, ok := v.(*ssa.MakeClosure); ok {
			all = append(all, c)
		} else if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
			// The literal is in a variable, because another literal captures it.
			if s := lastStore(u); s != nil {
				if c, ok := s.Val.(*ssa.MakeClosure); ok {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
