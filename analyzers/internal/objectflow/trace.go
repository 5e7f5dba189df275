package objectflow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Question asks which objects reach which calls.
type Question struct {
	// Reads are the calls from which objects come, in the order in which answers are
	// wanted. They may include calls that ReadOf does not know: the answer of a write
	// is an object too.
	Reads []Read
	// Sinks are the calls in question, with the value that holds the object, or its
	// JSON, there.
	Sinks map[ssa.CallInstruction]ssa.Value
	// Cleared says that an object is no longer followed once its metadata.managedFields
	// may have been set or cleared, also by a function whose body is not known.
	Cleared bool
	// Visit, if not nil, is called for each instruction that an object can reach. holds
	// reports whether a value is the object.
	Visit func(read Read, instr ssa.Instruction, holds func(ssa.Value) bool)
}

// Answer says that an object that was read reaches a sink.
type Answer struct {
	Read Read
	Sink ssa.CallInstruction
	// Via are the calls of the package's functions between the read and the sink, in
	// this order: those that pass the object down and those that return it.
	Via []ssa.CallInstruction
}

// maxDepth bounds the number of functions through which an object is followed in one
// direction.
const maxDepth = 6

// tracer answers one question.
type tracer struct {
	question Question
	result   *Result
	singles  map[*ssa.Alloc]ssa.Value
	naming   map[*ssa.Alloc]bool      // variables whose place is being found
	reads    map[*ssa.Function][]Read // by the function that they are in
	reaching map[*ssa.Function]bool   // functions that lead to a sink, or all
	passed   map[entry]*passage
	given    map[*ssa.Function]*gift
	depth    int
}

// entry is an object that enters a function: as a parameter or, after those, as a
// variable that a literal captures.
type entry struct {
	fn    *ssa.Function
	index int
}

// passage is what a function does with an object argument.
type passage struct {
	sinks   []Answer // without their reads
	kept    bool     // it is still the same when the function returns
	results map[int]bool
}

// gift is an object that a function has read and returns to its caller.
type gift struct {
	results map[int]offer
	entries map[int]offer
}

// offer is one read with the calls that it came through.
type offer struct {
	read Read
	via  []ssa.CallInstruction
}

// source is the start of one analysis of a function: a call that yields the object, or
// an entry.
type source struct {
	call    ssa.CallInstruction
	into    []ssa.Value // arguments that are filled
	results []int
	cells   []place // captured variables that are filled
	entry   int     // where call is nil
	offer   offer
}

// outcome is the result for a source in one function.
type outcome struct {
	sinks   []Answer
	kept    bool
	results map[int]bool
	entries map[int]bool
}

// Ask follows the objects of a question. Answers are in the order of the
// reads, then of the sinks' positions; one read and one sink give one answer.
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
		given:   map[*ssa.Function]*gift{},
	}
}

// findReaching finds the functions from which a sink can be reached by calls inside the
// package. The others need not be examined.
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
			if !t.reaching[fn] && t.calls(fn, func(f *ssa.Function) bool { return t.reaching[f] }) {
				t.reaching[fn], grown = true, true
			}
		}
	}
}

func (t *tracer) reaches(fn *ssa.Function) bool { return t.reaching == nil || t.reaching[fn] }

// calls reports whether a function calls or creates one that is in a set.
func (t *tracer) calls(fn *ssa.Function, in func(*ssa.Function) bool) bool {
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

// sources are the places where objects appear in a function: its reads, and calls of
// functions that read for it.
func (t *tracer) sources(fn *ssa.Function) []source {
	var all []source
	direct := map[ssa.CallInstruction]bool{}
	for _, read := range t.reads[fn] {
		s := source{call: read.Call, offer: offer{read: read}}
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
				all = append(all, t.received(call)...)
			}
		}
	}
	return all
}

// received are the objects that the functions behind a call have read. The functions
// return them, fill them in, or put them into variables that a literal captures.
func (t *tracer) received(call ssa.CallInstruction) []source {
	var all []source
	one := func(o offer) source {
		o.via = append(slices.Clone(o.via), call)
		return source{call: call, offer: o}
	}
	for _, f := range t.result.targets(call) {
		g := t.gifts(f)
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
		g := t.gifts(f)
		for _, i := range sortedKeys(g.entries) {
			if j := i - len(f.Params); j >= 0 {
				o := g.entries[i]
				s := source{call: call, offer: o}
				s.cells = []place{t.captured(c.Bindings[j])}
				all = append(all, s)
			}
		}
	}
	return all
}

// entryPlace is the place of an object argument of a function.
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

// captured is the place of the object in a variable that a literal captures.
func (t *tracer) captured(binding ssa.Value) place {
	if p, ok := binding.Type().Underlying().(*types.Pointer); ok && isReference(p.Elem()) {
		return t.content(binding)
	}
	return t.placeOf(binding)
}

// entryArgs are the values that become the parameters of a function.
func entryArgs(call ssa.CallInstruction, fn *ssa.Function) []ssa.Value {
	common := call.Common()
	if common.IsInvoke() {
		return append([]ssa.Value{common.Value}, common.Args...)
	}
	return common.Args
}

// closures are the literals with captured variables that a call runs or has as
// arguments.
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
			// A variable that holds the literal, because another literal
			// captures it.
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
