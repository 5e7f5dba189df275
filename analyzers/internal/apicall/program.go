package apicall

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// program is the package in SSA form. The first analyzer that uses it builds the SSA
// form.
type program struct {
	pass    *analysis.Pass
	code    *intact.Code
	byInstr map[ssa.CallInstruction]*Call
	reviews bool // see namesReviews

	shapes shapes
	// Results about constructors and clients so far.
	constructors  constructors
	aliases       map[*types.Var]*types.Func
	constructions map[*ast.CallExpr]*Construction
	fieldClients  map[*types.Var]*clientInfo
	// helpers caches IsHelper for packages. writers caches the facts about their functions.
	helpers map[*types.Package]bool
	writers map[*types.Func]*writerFact

	once sync.Once
	// broken is the error that stopped the analysis, or nil.
	broken error
	pkg    *ssa.Package
	funcs  []*ssa.Function // declared functions, methods and literals
	all    []*ssa.Function // funcs and the initial values of variables

	index sync.Once
	// sources has the expression of each store. The key is the position that the SSA
	// builder stores in the instruction.
	sources map[token.Pos]ast.Expr
	// calls has the calls, by the position of their opening parenthesis.
	calls map[token.Pos]*ast.CallExpr

	stores  sync.Once
	fields  map[*types.Var][]*ssa.Store  // stores to each declared field
	globals map[*ssa.Global][]*ssa.Store // stores to each whole package variable
	// globalStores has the stores in globals, and the stores to parts of package variables.
	globalStores   map[*ssa.Global][]*ssa.Store
	localStores    map[ssa.Value][]*ssa.Store // stores to local and captured variables
	taken          map[*types.Var]bool        // fields whose address is passed to other code
	escaped        map[*ssa.Global]bool
	callers        map[*ssa.Function][]ssa.CallInstruction
	values         map[*ssa.Function]bool // functions that are used as values
	conversions    sync.Once
	convertedTypes []types.Type // result of converted
	assertions     sync.Once
	assertedTypes  []types.Type // result of asserted
	// literals has the instruction that creates each function literal.
	literals map[*ssa.Function]*ssa.MakeClosure
}

func newProgram(pass *analysis.Pass) *program {
	return &program{
		pass: pass, code: intact.Of(pass), byInstr: map[ssa.CallInstruction]*Call{},
		shapes: shapes{}, constructors: constructors{},
		aliases:       map[*types.Var]*types.Func{},
		constructions: map[*ast.CallExpr]*Construction{},
		fieldClients:  map[*types.Var]*clientInfo{},
		helpers:       map[*types.Package]bool{},
		writers:       map[*types.Func]*writerFact{},
	}
}

// functions returns the source functions of the package. Its first call builds the SSA
// form.
func (p *program) functions() []*ssa.Function {
	if p == nil {
		return nil
	}
	p.once.Do(p.build)
	return p.funcs
}

// build builds the SSA form. If the builder panics, for example because of a newer
// language feature, no call of the package is understood.
func (p *program) build() {
	defer func() {
		if r := recover(); r != nil {
			p.broken = fmt.Errorf("building SSA form of %s: %v", p.pass.Pkg.Path(), r)
			p.pkg, p.funcs, p.all = nil, nil, nil
		}
	}()
	prog := ssa.NewProgram(p.pass.Fset, 0)
	prog.SetNoReturn(noReturn)
	for _, imported := range p.pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(p.pass.Pkg, p.pass.Files, p.pass.TypesInfo, false)
	pkg.Build()
	p.pkg = pkg

	var add func(f *ssa.Function, to *[]*ssa.Function)
	add = func(f *ssa.Function, to *[]*ssa.Function) {
		*to = append(*to, f)
		for _, literal := range f.AnonFuncs {
			add(literal, to)
		}
	}
	for _, file := range p.pass.Files {
		for _, decl := range file.Decls {
			// A function without a body has an unknown effect.
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				fn, _ := p.pass.TypesInfo.Defs[decl.Name].(*types.Func)
				if fn == nil {
					continue
				}
				if f := prog.FuncValue(fn); f != nil {
					add(f, &p.funcs)
				}
			}
		}
	}
	p.all = append(p.all, p.funcs...)
	if init := pkg.Func("init"); init != nil {
		add(init, &p.all)
	}
}

// noReturn reports whether a function ends the program or the goroutine, so that code
// after a call of it does not run. All other functions are assumed to return. If a
// function never returns and is not known here, the results are less exact.
func noReturn(fn *types.Func) bool {
	switch ImportPath(fn.Pkg()) {
	case "os":
		return fn.Name() == "Exit"
	case "runtime":
		return fn.Name() == "Goexit"
	case "log", "k8s.io/klog", "k8s.io/klog/v2", "github.com/sirupsen/logrus":
		switch fn.Name() {
		case "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Exit", "Exitf", "Exitln", "FatalDepth":
			return true
		}
	case "testing":
		switch fn.Name() {
		case "Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow":
			return true
		}
	}
	return false
}
