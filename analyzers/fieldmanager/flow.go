package fieldmanager

import (
	"go/token"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// flow follows clients forwards, from where they are built or come in to the
// writes that are made through them. It does not tell instances of a type or
// calls of a function apart; where it loses a client, nothing is found.
type flow struct {
	pass   *analysis.Pass
	result *apicall.Result
	open   map[uint64]bool // the writes that are looked for
	// elsewhere has, by place, what packages of the module that are imported,
	// directly or not, do with a client that is put there; passed says that a
	// parameter comes back as a result.
	elsewhere map[uint64][]uint64
	passed    map[uint64]bool

	funcs   []*ssa.Function
	loads   map[uint64][]ssa.Value // of fields and package variables, by place
	callers map[*ssa.Function][]ssa.CallInstruction
	made    map[*ssa.Function]*ssa.MakeClosure
	built   map[token.Pos]ssa.Value // calls, by the position of their parenthesis
	// values are functions that are used as values, and methods those of the
	// package by name.
	values  []*ssa.Function
	methods map[string][]*ssa.Function
}

// newFlow reads the package's code. It builds the SSA form if that has not
// happened.
func newFlow(pass *analysis.Pass, result *apicall.Result, open []write) *flow {
	f := &flow{
		pass: pass, result: result, open: map[uint64]bool{},
		elsewhere: map[uint64][]uint64{}, passed: map[uint64]bool{},
		loads: map[uint64][]ssa.Value{}, callers: map[*ssa.Function][]ssa.CallInstruction{},
		made: map[*ssa.Function]*ssa.MakeClosure{}, built: map[token.Pos]ssa.Value{}, methods: map[string][]*ssa.Function{},
	}
	for _, w := range open {
		f.open[w.id()] = true
	}
	module := moduleOf(pass)
	for _, p := range pass.AllPackageFacts() {
		h, ok := p.Fact.(*handedOver)
		if !ok || p.Package == pass.Pkg || h.Module != module {
			continue
		}
		for _, place := range h.Places {
			if place.Passed {
				f.passed[place.ID] = true
			}
			f.elsewhere[place.ID] = append(f.elsewhere[place.ID], place.Writes...)
		}
	}
	f.read()
	return f
}

// read indexes the package's instructions.
func (f *flow) read() {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		f.funcs = append(f.funcs, fn)
		for _, literal := range fn.AnonFuncs {
			add(literal)
		}
	}
	declared := f.result.SSA()
	for _, fn := range declared {
		add(fn)
	}
	if len(declared) > 0 && declared[0].Pkg != nil {
		add(declared[0].Pkg.Func("init")) // the variables' initial values
	}
	used := map[*ssa.Function]bool{}
	for _, fn := range f.funcs {
		if fn.Signature.Recv() != nil {
			f.methods[fn.Name()] = append(f.methods[fn.Name()], fn)
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				f.readInstr(i, used)
			}
		}
	}
}

func (f *flow) readInstr(i ssa.Instruction, used map[*ssa.Function]bool) {
	call, _ := i.(ssa.CallInstruction)
	if call != nil {
		if v := call.Value(); v != nil && call.Common().Pos().IsValid() {
			f.built[call.Common().Pos()] = v
		}
		if callee := callee(call.Common()); callee != nil {
			f.callers[callee] = append(f.callers[callee], call)
		}
	}
	for _, operand := range i.Operands(nil) {
		fn, ok := (*operand).(*ssa.Function)
		if !ok || used[fn] || call != nil && operand == &call.Common().Value {
			continue
		}
		used[fn] = true
		f.values = append(f.values, fn)
	}
	switch i := i.(type) {
	case *ssa.MakeClosure:
		f.made[i.Fn.(*ssa.Function)] = i
	case *ssa.Field:
		if id := fieldPlace(i.X.Type(), i.Field); id != 0 {
			f.loads[id] = append(f.loads[id], i)
		}
	case *ssa.UnOp:
		if id := placeOf(i.X); id != 0 {
			f.loads[id] = append(f.loads[id], i)
		}
	}
}

// callee is the function that is called, as it is declared; nil where that is
// not certain.
func callee(common *ssa.CallCommon) *ssa.Function {
	fn := common.StaticCallee()
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}
