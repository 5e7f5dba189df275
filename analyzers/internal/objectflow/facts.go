package objectflow

import (
	"bytes"
	"go/ast"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// examined is the fact about a package whose functions have been examined. A function
// of such a package that has no fact touches certainly does not touch managedFields.
// The fields Touches and Applies are set if a function of the package has the fact of
// this name.
type examined struct{ Touches, Applies bool }

// touches is the fact about a function that mentions managedFields, itself or in a
// function that it calls.
type touches struct{}

// converts is the fact about a function that returns the content of an object as JSON, as a
// map or as an Unstructured. Param is the index of the object's parameter.
type converts struct{ Param int }

func (*examined) AFact() {}
func (*touches) AFact()  {}
func (*converts) AFact() {}

func (*examined) String() string { return "examined" }
func (*touches) String() string  { return "touches" }
func (*converts) String() string { return "converts" }

// exportFacts exports the facts converts and touches. It reports whether it exported a
// fact touches.
func exportFacts(pass *analysis.Pass) (touching bool) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				if i, ok := conversion(pass, decl); ok {
					pass.ExportObjectFact(pass.TypesInfo.Defs[decl.Name], &converts{i})
				}
			}
		}
	}
	return mayTouch(pass) && exportTouches(pass)
}

// mayTouch reports whether a function of the package can have the fact touches. It
// searches the text of the files for managedFields, because that is cheaper than
// walking the syntax, and few packages contain the word.
func mayTouch(pass *analysis.Pass) bool {
	for _, imported := range pass.Pkg.Imports() {
		var fact examined
		if pass.ImportPackageFact(imported, &fact) && fact.Touches {
			return true
		}
	}
	for _, file := range pass.Files {
		if pass.ReadFile == nil {
			return true
		}
		text, err := pass.ReadFile(pass.Fset.File(file.FileStart).Name())
		if err != nil || bytes.Contains(text, []byte("anagedFields")) {
			return true
		}
	}
	return false
}

// exportTouches exports the fact touches. It reports whether a function has this fact.
func exportTouches(pass *analysis.Pass) bool {
	uses := map[*types.Func][]*types.Func{}
	touching := map[*types.Func]bool{}
	var order []*types.Func
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			order = append(order, fn)
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if strings.Contains(n.Name, "ManagedFields") {
						touching[fn] = true
					} else if used, ok := pass.TypesInfo.Uses[n].(*types.Func); ok {
						uses[fn] = append(uses[fn], used.Origin())
					}
				case *ast.BasicLit:
					if strings.Contains(n.Value, "managedFields") {
						touching[fn] = true
					}
				}
				return true
			})
		}
	}
	for grown := true; grown; {
		grown = false
		for _, fn := range order {
			if touching[fn] {
				continue
			}
			for _, used := range uses[fn] {
				if touching[used] || used.Pkg() != pass.Pkg && pass.ImportObjectFact(used, &touches{}) {
					touching[fn], grown = true, true
					break
				}
			}
		}
	}
	for _, fn := range order {
		if touching[fn] {
			pass.ExportObjectFact(fn, &touches{})
		}
	}
	return len(touching) > 0
}

// conversion reports in ok whether a function does little more than return a parameter
// as JSON, as a map or as an Unstructured. param is the index of this parameter.
func conversion(pass *analysis.Pass, decl *ast.FuncDecl) (param int, ok bool) {
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return 0, false
	}
	sig := fn.Signature()
	if sig.Results().Len() == 0 || sig.Results().Len() > 2 || len(decl.Body.List) > 8 || !isOtherForm(sig.Results().At(0).Type()) {
		return 0, false
	}
	param = -1
	cleared := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && strings.Contains(id.Name, "ManagedFields") {
			cleared = true
		}
		if lit, isLit := n.(*ast.BasicLit); isLit && strings.Contains(lit.Value, "managedFields") {
			cleared = true
		}
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			return true
		}
		callee := calleeOf(pass.TypesInfo, call)
		if callee == nil {
			return true
		}
		path := apicall.ImportPath(callee.Pkg())
		if !isMarshal(path, callee.Name()) && !(path == runtimePath && callee.Name() == "ToUnstructured") {
			return true
		}
		for _, arg := range call.Args {
			id, isIdent := ast.Unparen(arg).(*ast.Ident)
			if !isIdent {
				continue
			}
			for i := range sig.Params().Len() {
				if pass.TypesInfo.Uses[id] == sig.Params().At(i) {
					param = i
				}
			}
		}
		return true
	})
	return param, param >= 0 && !cleared
}

// isOtherForm reports whether a type is another form of an object: bytes, a map with
// values of any type, or an Unstructured.
func isOtherForm(t types.Type) bool {
	if isNamed(t, unstructPkg, "Unstructured") {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		i, ok := t.Elem().Underlying().(*types.Interface)
		return ok && i.Empty() && isString(t.Key())
	case *types.Slice:
		b, ok := t.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	}
	return false
}

func calleeOf(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// converts returns the index of the parameter that a function of another package
// converts, if the function has the fact converts.
func (r *Result) converts(fn *types.Func) (param int, ok bool) {
	var fact converts
	if fn.Pkg() == nil || fn.Pkg() == r.pass.Pkg || !r.pass.ImportObjectFact(fn, &fact) {
		return 0, false
	}
	return fact.Param, true
}

// leavesManagers reports whether a function of another package leaves the managedFields
// of its arguments unchanged. These functions do:
//
//   - functions of Kubernetes libraries and logging libraries
//   - functions of the standard library, except those that sort or decode
//   - functions of this module that were examined and have no fact touches
func (r *Result) leavesManagers(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true // error.Error
	}
	if intact.Of(r.pass).Unseen(fn) {
		return false
	}
	path := apicall.ImportPath(fn.Pkg())
	first, _, _ := strings.Cut(path, "/")
	switch {
	case !strings.Contains(first, ".") && first != "command-line-arguments":
		if r.pass.Module == nil || r.pass.Module.Path != first {
			return first != "sort" && first != "slices" && !strings.HasPrefix(path, "encoding/")
		}
	case first == "k8s.io", strings.HasPrefix(path, "sigs.k8s.io/controller-runtime/"):
		return true
	case strings.HasPrefix(path, "github.com/go-logr/"), strings.HasPrefix(path, "go.uber.org/zap"),
		strings.HasPrefix(path, "github.com/sirupsen/logrus"), strings.HasPrefix(path, "github.com/pkg/errors"):
		return true
	}
	if fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) {
		return false
	}
	return r.pass.ImportPackageFact(fn.Pkg(), &examined{}) && !r.pass.ImportObjectFact(fn, &touches{})
}
