package objectflow

import (
	"go/types"
	"reflect"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer follows objects for other rules. Its result is a *Result.
//
// For other packages of the module, it exports facts about functions that do one of these:
//   - They return the content of an object in another form.
//   - They name managedFields.
//   - They apply their arguments.
//
// Only the third fact needs the SSA form, so a package without writes costs almost nothing.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetobjects",
	Doc:              "follow objects that were read from a Kubernetes API",
	Run:              intact.Run(run),
	RunDespiteErrors: true,
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer},
	FactTypes:        []analysis.Fact{(*examined)(nil), (*touches)(nil), (*converts)(nil), (*applies)(nil)},
	ResultType:       reflect.TypeFor[*Result](),
}

// Result answers questions about the objects of one package.
type Result struct {
	pass  *analysis.Pass
	calls *apicall.Result

	methodsOnce sync.Once // guards methods: several rules may run at the same time
	// methods has the package's methods by name, for calls of interfaces that the
	// package declares.
	methods map[string][]*ssa.Function

	callersOnce sync.Once
	callers     map[*ssa.Function][]*ssa.Function
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{pass: pass, calls: pass.ResultOf[apicall.Analyzer].(*apicall.Result)}
	if (pass.Module == nil || pass.Module.Version == "") && usesKubernetes(pass.Pkg) {
		pass.ExportPackageFact(&examined{Touches: exportFacts(pass), Applies: r.exportApplies()})
	}
	return r, nil
}

// usesKubernetes reports whether a package imports a package of Kubernetes, and so can
// use API objects.
func usesKubernetes(pkg *types.Package) bool {
	for _, imported := range pkg.Imports() {
		if path := apicall.ImportPath(imported); strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") {
			return true
		}
	}
	return false
}

// Hidden reports whether code that does not compile may call a function, directly or
// indirectly.
func (r *Result) Hidden(fn *ssa.Function) bool {
	code := intact.Of(r.pass)
	if code.Complete() && !code.Unparsed() {
		return false
	}
	return r.SelfOrCaller(fn, func(fn *ssa.Function) bool { return code.Unparsed() || code.Mentions(fn.Object()) })
}

// functions returns the functions of the package that have a body.
func (r *Result) functions() []*ssa.Function { return r.calls.SSA() }

// targets returns the functions of this package that a call can run. For an unexported
// interface method, these are all implementations in the package.
func (r *Result) targets(call ssa.CallInstruction) []*ssa.Function {
	common := call.Common()
	if !common.IsInvoke() {
		fn := common.StaticCallee()
		if fn == nil {
			return nil
		}
		if o := fn.Origin(); o != nil {
			fn = o
		}
		if len(fn.Blocks) == 0 || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "package init") {
			return nil
		}
		return []*ssa.Function{fn}
	}
	if common.Method.Exported() || common.Method.Pkg() != r.pass.Pkg {
		return nil
	}
	iface, ok := common.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	r.methodsOnce.Do(func() {
		r.methods = map[string][]*ssa.Function{}
		for _, fn := range r.functions() {
			if fn.Signature.Recv() != nil {
				r.methods[fn.Name()] = append(r.methods[fn.Name()], fn)
			}
		}
	})
	var all []*ssa.Function
	for _, fn := range r.methods[common.Method.Name()] {
		if types.Implements(fn.Signature.Recv().Type(), iface) {
			all = append(all, fn)
		}
	}
	return all
}
