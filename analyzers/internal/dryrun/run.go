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
	s.vars = &dryRunVars{pass: pass, bound: bindings(pass), memo: map[types.Object]dryRunVar{}, inModule: map[*types.Package]bool{}}
	s.settings = scanSettings(pass, s.vars)
	if !calls.Relevant {
		return r, nil
	}
	s.names = s.scanNames()
	if len(calls.Calls) == 0 && !s.names.writers && !s.names.indirect && !s.names.source && !s.exportsStructParam() {
		return r, nil // no rule, and no package that imports this one, needs a result
	}
	s.prepare()
	s.export()
	return r, nil
}

// findHidden finds the functions that code which does not compile may call, directly or
// indirectly.
func (s *state) findHidden() {
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
			s.escaping[fn] = true
			visit(fn)
		}
	}
}

// need prepares a package that does not write to an API. Rules call it through Need.
func (s *state) need() {
	if s.analyzed == nil && s.vars != nil && s.calls.Relevant {
		s.prepare()
	}
}

// state holds the data about one package. Most of it is computed when it is first needed.
type state struct {
	graph
	pass  *analysis.Pass
	code  *intact.Code
	calls *apicall.Result
	vars  *dryRunVars

	names nameScan
	// settings says which fields of settings are read. It is nil if there are no settings.
	settings *settingReads
	// forgotten holds the fields for a dry run that the package loads and that no code reads.
	// Their names are as in Config.DryRun.
	forgotten map[*types.Var]string
	// hasSources is false if nothing in the package can be a source. Then all code is
	// Reached.
	hasSources bool

	funcs    []*ssa.Function
	analyzed map[*ssa.Function]bool
	byObject map[types.Object]*ssa.Function
	methods  map[string][]*ssa.Function
	byCall   map[*ssa.Function][]*apicall.Call

	namedLocals map[token.Pos]*types.Var // see findNamedLocals

	locals   map[token.Pos]binding // bound local variables, by the position of their declaration
	freeVars map[*ssa.FreeVar]*ssa.Alloc
	captures map[*ssa.Alloc][]*ssa.FreeVar

	flows               map[flowKey]*flow // nil while it is being computed
	reaches             map[flowKey][]Reach
	results             map[resultKey]value
	noreturns           map[*ssa.Function]bool
	params              map[paramKey]value
	entries             map[entryKey]entered
	foundWrites         map[flowKey][]*Write
	foundInterfaceCalls map[flowKey][]*Write // see indirect
	conversionsKnown    bool
	conversionList      []convertedType            // see ownConversions
	typeLists           map[string][]convertedType // see typesBehind
	reads               map[*types.Var]bool
	readers             map[*types.Var][]*ssa.Function
	libraryPassers      map[*types.Var]map[*ssa.Function]bool // functions that pass a dry run to a library
	sourceLists         map[*ssa.Function][]*Source
	acceptedKnown       bool
	acceptedList        []*acceptedFlag // see acceptedFlags
	programSourcesKnown bool
	programSourceList   []*Source // see programSources
	// globals holds variables of the package, and fields of such variables. They are bound
	// to a flag and read.
	globals           []*types.Var
	checked           map[*ssa.Function]bool
	independentValues map[ssa.Value]bool // see independent
	stores            map[*types.Var][]*ssa.Store

	globalStores map[*ssa.Global][]*ssa.Store
	// setters holds the instructions that may set a variable or field to a dry run.
	setters map[*types.Var][]ssa.Instruction
	// overridden holds the fields and package variables whose value a dry run decides.
	overridden map[*types.Var]bool
	// fieldPaths holds the fields of package variables, with the text from fieldPathOf.
	fieldPaths  map[*types.Var]string
	startsOfVar map[*types.Var]*starts
	reachable   map[*types.Var]map[*ssa.Function]bool
	cobra       *commands

	findingsKnown bool
	findingList   []*Finding // see findings
	// withheld holds the findings that this package does not report. Importing
	// packages report them at the position where they build the type.
	withheld []*Finding

	refusalLists map[refusalKey][]refusal
	chosenFields map[fieldKey]bool
	onlyReaders  map[*types.Var]bool   // see private
	respected    map[types.Object]bool // dry runs that prevent a write
	sendList     []send
	sendsKnown   bool
	writing      map[*ssa.Function]bool // functions that write in any way
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
	s.analyzed = make(map[*ssa.Function]bool, len(s.funcs))
	s.byObject = map[types.Object]*ssa.Function{}
	s.methods = map[string][]*ssa.Function{}
	s.byCall = map[*ssa.Function][]*apicall.Call{}
	s.sites = map[*ssa.Function][]site{}
	s.callees = map[*ssa.Function][]callee{}
	s.escaping = map[*ssa.Function]bool{}
	s.roots = map[*ssa.Function]bool{}
	s.runsOf = map[*ssa.Function][]ssa.Value{}
	s.slots = newSlots()
	s.locals = map[token.Pos]binding{}
	s.freeVars = map[*ssa.FreeVar]*ssa.Alloc{}
	s.captures = map[*ssa.Alloc][]*ssa.FreeVar{}
	s.resetFlows()
	s.noreturns = map[*ssa.Function]bool{}
	s.entries = map[entryKey]entered{}
	s.typeLists = map[string][]convertedType{}
	s.foundWrites, s.foundInterfaceCalls = map[flowKey][]*Write{}, map[flowKey][]*Write{}
	s.writing = map[*ssa.Function]bool{}
	s.reads = map[*types.Var]bool{}
	s.readers = map[*types.Var][]*ssa.Function{}
	s.libraryPassers = map[*types.Var]map[*ssa.Function]bool{}
	s.sourceLists = map[*ssa.Function][]*Source{}
	s.checked = map[*ssa.Function]bool{}
	s.independentValues = map[ssa.Value]bool{}
	s.stores = map[*types.Var][]*ssa.Store{}
	s.globalStores = map[*ssa.Global][]*ssa.Store{}
	s.setters = map[*types.Var][]ssa.Instruction{}
	s.startsOfVar = map[*types.Var]*starts{}
	s.onlyReaders = map[*types.Var]bool{}
	s.fieldPaths = map[*types.Var]string{}
	s.reachable = map[*types.Var]map[*ssa.Function]bool{}
	s.chosenFields = map[fieldKey]bool{}
	s.refusalLists = map[refusalKey][]refusal{}
	for _, fn := range s.funcs {
		s.analyzed[fn] = true
		if obj := fn.Object(); obj != nil && fn.Parent() == nil {
			s.byObject[obj] = fn
			if fn.Signature.Recv() != nil {
				s.methods[fn.Name()] = append(s.methods[fn.Name()], fn)
			}
		}
	}
	for obj, b := range s.vars.bound {
		s.locals[obj.Pos()] = b
	}
	for _, c := range s.calls.Calls {
		if c.Func != nil {
			s.byCall[c.Func] = append(s.byCall[c.Func], c)
		}
	}
	s.hasSources = s.names.source || s.hasOptionsParam()
	s.index()
	s.addKongCommands()
	s.findHidden()
	if s.hasSources {
		s.findNamedLocals()
		s.noteReads()
		s.findForgotten()
		s.findGlobals()
		s.findOverridden()
		s.findRespected()
	}
}

// withInitial adds to funcs the function that sets the package's variables to their
// initial values, and the function literals in it. Such a literal can be the function
// of a command in a variable.
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

// maxUnclear limits the conditions of a function for which both outcomes are tried.
const maxUnclear = 8

// reach reports whether an instruction runs during a dry run.
func (s *state) reach(i ssa.Instruction, m Mode) Reach {
	if s.analyzed == nil || i == nil || i.Block() == nil {
		return Unclear
	}
	if !s.hasSources {
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
	normal := s.flow(fn, off)
	if f == nil || normal == nil {
		return nil
	}
	out := make([]Reach, len(fn.Blocks))
	for i := range out {
		switch {
		case !f.blocks[i] && normal.blocks[i]:
			out[i] = Guarded
		case !f.blocks[i], !normal.blocks[i]:
			// The code never runs, or runs only in a dry run.
			out[i] = Unclear
		case len(f.unclear) > maxUnclear:
			out[i] = Unclear
		default:
			out[i] = Reached
		}
	}
	if len(f.unclear) > maxUnclear {
		return out
	}
	for _, cond := range f.unclear {
		if isLoopHead(cond.Block()) {
			continue // every loop ends
		}
		for _, outcome := range []bool{true, false} {
			g := &flow{st: s, fn: fn, mode: m, assumed: map[*ssa.If]bool{cond: outcome}}
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

// parameter returns what is known of a parameter in mode m. If the parameter's name or
// type says dry run, it is the value of a source. Otherwise it comes from the arguments
// that the package passes.
func (s *state) parameter(p *ssa.Parameter, m Mode) value {
	if v, ok := p.Object().(*types.Var); ok {
		if w := s.vars.describe(v); w.ok {
			return dryRunValue(v.Type(), m, w.negative)
		}
	}
	if n := namedOf(elem(p.Type())); n != nil && isOptions(n) {
		return optionsValue(p.Type(), m)
	}
	if shapeOf(p.Type()) == 0 {
		return otherValue
	}
	key := paramKey{p, m}
	if got, ok := s.params[key]; ok {
		return got
	}
	s.params[key] = otherValue
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
				if v := f.value(args[i]); v.depends() && f.blocks[at.instr.Block().Index] {
					got = join(got, v)
				}
			}
		}
	}
	if got.kind == undefined {
		got = otherValue
	}
	s.params[key] = got
	return got
}

// inTest reports whether a function is in a test file.
func (s *state) inTest(fn *ssa.Function) bool {
	return fn.Pos().IsValid() && strings.HasSuffix(s.pass.Fset.File(fn.Pos()).Name(), "_test.go")
}
