package dryrun

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

func run(pass *analysis.Pass) (any, error) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	s := &state{pass: pass, code: intact.Of(pass), calls: calls}
	r := &Result{calls: calls, state: s}
	if m := pass.Module; m != nil && m.Version != "" {
		return r, nil // a dependency, which no rule reports on
	}
	s.wishes = &wishes{pass: pass, bound: bindings(pass), memo: map[types.Object]wish{}, near: map[*types.Package]bool{}}
	if !calls.Relevant {
		return r, nil
	}
	s.mention = s.glance()
	if len(calls.Calls) == 0 && !s.mention.writers && !s.mention.indirect && !s.mention.wish && !s.isGiven() {
		return r, nil // no rule and no importing package needs a result
	}
	s.prepare()
	s.export()
	return r, nil
}

// hide finds the functions that code with errors may call, directly or not, and
// stores them in s.hidden.
func (s *state) hide() {
	s.hidden = map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if s.hidden[fn] {
			return
		}
		s.hidden[fn] = true
		for _, to := range s.callees[fn] {
			visit(to.fn)
		}
	}
	for _, fn := range s.funcs {
		if fn.Parent() == nil && (s.code.Mentions(fn.Object()) || s.code.Unparsed()) {
			s.loose[fn] = true
			visit(fn)
		}
	}
}

// need prepares a package that does not write to an API, if a rule needs it.
func (s *state) need() {
	if s.own == nil && s.wishes != nil && s.calls.Relevant {
		s.prepare()
	}
}

// state holds the data about one package. Most of it is computed when it is first needed.
type state struct {
	graph
	pass   *analysis.Pass
	code   *intact.Code
	calls  *apicall.Result
	wishes *wishes

	mention mention
	// wishful is false if nothing in the package can hold a dry run. Then all code is
	// Reached.
	wishful bool

	funcs    []*ssa.Function
	own      map[*ssa.Function]bool
	byObject map[types.Object]*ssa.Function
	methods  map[string][]*ssa.Function
	byCall   map[*ssa.Function][]*apicall.Call

	locals   map[token.Pos]binding // bound local variables, by the position of their declaration
	freeVars map[*ssa.FreeVar]*ssa.Alloc
	captures map[*ssa.Alloc][]*ssa.FreeVar

	flows        map[flowKey]*flow // nil while it is being computed
	reaches      map[flowKey][]Reach
	results      map[resultKey]value
	noreturns    map[*ssa.Function]bool
	params       map[paramKey]value
	entries      map[entryKey]entered
	found        map[flowKey][]*Write
	maybe        map[flowKey][]*Write // see indirect
	knowsMade    bool
	madeList     []madeType // see ownMade
	onlyTypes    map[string]*madeType
	reads        map[*types.Var]bool
	readers      map[*types.Var][]*ssa.Function
	tellers      map[*types.Var]map[*ssa.Function]bool // functions that pass a dry run to a library
	told         map[*ssa.Function][]*Source
	knowsOffers  bool
	offerList    []*offer // see offers
	knowsProgram bool
	program      []*Source // see programWishes
	// globals holds variables of the package, and fields of such variables. They are bound
	// to a flag and read.
	globals   []*types.Var
	consulted map[*ssa.Function]bool
	unrelated map[ssa.Value]bool // see independent
	stores    map[*types.Var][]*ssa.Store

	globalStores map[*ssa.Global][]*ssa.Store
	// setters holds the instructions that may set a variable or field to a dry run.
	setters map[*types.Var][]ssa.Instruction
	// yielding holds the fields that a dry run sets to a constant.
	yielding map[*types.Var]bool
	// parts holds the fields of package variables, with the text from partOf.
	parts     map[*types.Var]string
	begun     map[*types.Var]*starts
	reachable map[*types.Var]map[*ssa.Function]bool
	cobra     *commands

	knowsFindings bool
	findingList   []*Finding // see findings
	// withheld holds the findings that this package does not report. Importing
	// packages report them at the position where they build the type.
	withheld []*Finding

	refused      map[refusalKey][]refusal
	chosenFields map[fieldKey]bool
	privates     map[*types.Var]bool    // see private
	heeded       map[types.Object]bool  // dry runs that prevent a write
	busy         map[*ssa.Function]bool // functions that write in any way
	hidden       map[*ssa.Function]bool // functions that code with errors may call, directly or not
}

type fieldKey struct {
	v    *types.Var
	mode Mode
}

type flowKey struct {
	fn   *ssa.Function
	mode Mode
}

type paramKey struct {
	p    *ssa.Parameter
	mode Mode
}

func (s *state) prepare() {
	s.funcs = withInitial(s.calls.SSA())
	s.own = make(map[*ssa.Function]bool, len(s.funcs))
	s.byObject = map[types.Object]*ssa.Function{}
	s.methods = map[string][]*ssa.Function{}
	s.byCall = map[*ssa.Function][]*apicall.Call{}
	s.sites = map[*ssa.Function][]site{}
	s.callees = map[*ssa.Function][]callee{}
	s.loose = map[*ssa.Function]bool{}
	s.roots = map[*ssa.Function]bool{}
	s.runsOf = map[*ssa.Function][]ssa.Value{}
	s.slots = newSlots()
	s.locals = map[token.Pos]binding{}
	s.freeVars = map[*ssa.FreeVar]*ssa.Alloc{}
	s.captures = map[*ssa.Alloc][]*ssa.FreeVar{}
	s.forget()
	s.noreturns = map[*ssa.Function]bool{}
	s.entries = map[entryKey]entered{}
	s.onlyTypes = map[string]*madeType{}
	s.found, s.maybe = map[flowKey][]*Write{}, map[flowKey][]*Write{}
	s.reads = map[*types.Var]bool{}
	s.readers = map[*types.Var][]*ssa.Function{}
	s.tellers = map[*types.Var]map[*ssa.Function]bool{}
	s.told = map[*ssa.Function][]*Source{}
	s.consulted = map[*ssa.Function]bool{}
	s.unrelated = map[ssa.Value]bool{}
	s.stores = map[*types.Var][]*ssa.Store{}
	s.globalStores = map[*ssa.Global][]*ssa.Store{}
	s.setters = map[*types.Var][]ssa.Instruction{}
	s.begun = map[*types.Var]*starts{}
	s.privates = map[*types.Var]bool{}
	s.parts = map[*types.Var]string{}
	s.reachable = map[*types.Var]map[*ssa.Function]bool{}
	s.chosenFields = map[fieldKey]bool{}
	s.refused = map[refusalKey][]refusal{}
	for _, fn := range s.funcs {
		s.own[fn] = true
		if obj := fn.Object(); obj != nil && fn.Parent() == nil {
			s.byObject[obj] = fn
			if fn.Signature.Recv() != nil {
				s.methods[fn.Name()] = append(s.methods[fn.Name()], fn)
			}
		}
	}
	for obj, b := range s.wishes.bound {
		s.locals[obj.Pos()] = b
	}
	for _, c := range s.calls.Calls {
		if c.Func != nil {
			s.byCall[c.Func] = append(s.byCall[c.Func], c)
		}
	}
	s.wishful = s.mention.wish || s.carriesOptions()
	s.index()
	s.kong()
	s.hide()
	if s.wishful {
		s.scan()
		s.findGlobals()
		s.yieldings()
		s.heed()
	}
}

// withInitial adds the function that sets the package's variables to their
// initial values, and the literals in it. Such a literal can be the function of
// a command in a variable.
func withInitial(funcs []*ssa.Function) []*ssa.Function {
	if len(funcs) == 0 || funcs[0].Pkg == nil {
		return funcs
	}
	all := slices.Clip(funcs)
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		all = append(all, fn)
		for _, literal := range fn.AnonFuncs {
			add(literal)
		}
	}
	if fn := funcs[0].Pkg.Func("init"); fn != nil {
		add(fn)
	}
	return all
}

// flow returns the flow of a function. It returns nil while the flow is being computed.
func (s *state) flow(fn *ssa.Function, m Mode) *flow {
	key := flowKey{fn, m}
	if f, ok := s.flows[key]; ok {
		return f
	}
	s.flows[key] = nil
	f := &flow{st: s, fn: fn, mode: m}
	f.run()
	s.flows[key] = f
	return f
}

// maxMuddy limits the conditions whose outcomes are both tried.
const maxMuddy = 8

// reach reports whether an instruction runs during a dry run.
func (s *state) reach(i ssa.Instruction, m Mode) Reach {
	if s.own == nil || i == nil || i.Block() == nil {
		return Unclear
	}
	if !s.wishful {
		return Reached
	}
	fn := i.Parent()
	blocks, ok := s.reaches[flowKey{fn, m}]
	if !ok {
		blocks = s.reachBlocks(fn, m)
		s.reaches[flowKey{fn, m}] = blocks
	}
	if blocks == nil || i.Block().Index >= len(blocks) {
		return Unclear
	}
	return blocks[i.Block().Index]
}

func (s *state) reachBlocks(fn *ssa.Function, m Mode) []Reach {
	f := s.flow(fn, m)
	idle := s.flow(fn, off)
	if f == nil || idle == nil {
		return nil
	}
	out := make([]Reach, len(fn.Blocks))
	for i := range out {
		switch {
		case !f.blocks[i] && idle.blocks[i]:
			out[i] = Guarded
		case !f.blocks[i], !idle.blocks[i]:
			// The code never runs, or runs only in a dry run.
			out[i] = Unclear
		case len(f.muddy) > maxMuddy:
			out[i] = Unclear
		default:
			out[i] = Reached
		}
	}
	if len(f.muddy) > maxMuddy {
		return out
	}
	for _, cond := range f.muddy {
		if heads(cond.Block()) {
			continue // every loop ends
		}
		for _, outcome := range []bool{true, false} {
			g := &flow{st: s, fn: fn, mode: m, forced: map[*ssa.If]bool{cond: outcome}}
			g.run()
			for i := range out {
				if out[i] == Reached && !g.blocks[i] {
					out[i] = Unclear
				}
			}
		}
	}
	return out
}

// parameter returns the value of a parameter in mode m. It is the value of a
// dry run if the parameter's name or type says dry run, and otherwise the value
// of the arguments that the package passes.
func (s *state) parameter(p *ssa.Parameter, m Mode) value {
	if v, ok := p.Object().(*types.Var); ok {
		if w := s.wishes.of(v); w.ok {
			return wishValue(v.Type(), m, w.negative)
		}
	}
	if n := namedOf(elem(p.Type())); n != nil && isOptions(n) {
		return optionsValue(p.Type(), m)
	}
	if shapeOf(p.Type()) == 0 {
		return unrelated
	}
	key := paramKey{p, m}
	if got, ok := s.params[key]; ok {
		return got
	}
	s.params[key] = unrelated
	var got value
	for _, at := range s.sites[p.Parent()] {
		if at.call == nil || at.call.Common().IsInvoke() {
			continue
		}
		for i, q := range p.Parent().Params {
			args := at.call.Common().Args
			if q != p || i >= len(args) {
				continue
			}
			if f := s.flow(at.caller, m); f != nil {
				if v := f.value(args[i]); v.carries() && f.blocks[at.instr.Block().Index] {
					got = join(got, v)
				}
			}
		}
	}
	if got.kind == undefined {
		got = unrelated
	}
	s.params[key] = got
	return got
}

// inTest reports whether a function is in a test file.
func (s *state) inTest(fn *ssa.Function) bool {
	return fn.Pos().IsValid() && strings.HasSuffix(s.pass.Fset.File(fn.Pos()).Name(), "_test.go")
}
