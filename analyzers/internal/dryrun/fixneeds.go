package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// maxHelpers limits the calls of helpers between a write and the code that needs its
// effect.
const maxHelpers = 2

// guarded returns the positions of the calls in the declared function around the write
// that a dry run does not reach.
func (w *fixable) guarded() map[token.Pos]bool {
	if w.ssa == nil {
		return nil
	}
	outer := w.ssa
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	return w.fixer.result().guarded(outer)
}

// guarded returns the positions of the calls in a function and its literals that a dry
// run does not reach.
func (r *Result) guarded(fn *ssa.Function) map[token.Pos]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := map[token.Pos]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && r.state.reach(call, Client) == Guarded {
					found[call.Pos()] = true
				}
			}
		}
		for _, literal := range fn.AnonFuncs {
			visit(literal)
		}
	}
	visit(fn)
	return found
}

// function returns a function of the package in SSA form, or nil.
func (r *Result) function(obj types.Object) *ssa.Function {
	for _, fn := range r.state.funcs {
		if fn.Object() == obj {
			return fn
		}
	}
	return nil
}

// readsAgain returns the positions at which the function reads the object again after
// the write, or waits for its change. If the write is a dry run, such a read may fail,
// because the object does not exist, or may wait forever.
func (w *fixable) readsAgain() []token.Pos {
	sel, ok := ast.Unparen(w.call.Expr.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := &readSearch{w: w, client: w.fixer.pass.TypesInfo.TypeOf(sel.X), open: map[*ast.FuncDecl]bool{}}
	if s.client == nil || w.call.ObjectType == nil {
		return nil
	}
	s.guarded = w.guarded()
	s.visit(w.function, strings.HasPrefix(w.call.Method.Name(), "Create"), w.call.Expr.End())
	return s.found
}

// readSearch searches the reads after a write.
type readSearch struct {
	w *fixable
	// client is the type of the client that writes.
	client types.Type
	// guarded holds the calls that a dry run does not reach.
	guarded map[token.Pos]bool
	// open holds the helpers that are being searched.
	open  map[*ast.FuncDecl]bool
	found []token.Pos
}

// visit searches the code of a node after a position. needed is true if each read of the
// object counts. If it is false, only repeated reads count.
func (s *readSearch) visit(node ast.Node, needed bool, from token.Pos) {
	info := s.w.fixer.pass.TypesInfo
	ast.Inspect(node, func(n ast.Node) bool {
		if n == node {
			return true
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			if !needed {
				s.visit(n, true, from)
				return false
			}
		case *ast.RangeStmt:
			_, ticks := info.TypeOf(n.X).Underlying().(*types.Chan)
			if !needed && ticks {
				s.visit(n, true, from)
				return false
			}
		case *ast.CallExpr:
			if n.Pos() < from {
				return true
			}
			if s.guarded[n.Lparen] {
				return false
			}
			if s.reads(n, needed) || s.helperReads(n, needed) {
				s.found = append(s.found, n.Pos())
				return false
			}
			if fn := calledFunc(info, n); fn != nil && !needed && isIn(fn, "k8s.io/apimachinery/pkg/util/wait") {
				s.visit(n, true, from)
				return false
			}
		}
		return true
	})
}

// reads reports whether a call reads the object, or waits for its change.
func (s *readSearch) reads(call *ast.CallExpr, needed bool) bool {
	info := s.w.fixer.pass.TypesInfo
	fn := calledFunc(info, call)
	if fn == nil {
		return false
	}
	read, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case fn.Name() == "Get" && needed, fn.Name() == "Watch":
		return method && sameClient(info, s.client, read.X) && s.w.sameObject(call)
	case fn.Name() == "Informer":
		kind := namedOf(s.w.call.ObjectType)
		informer := namedOf(info.TypeOf(read.X))
		return method && kind != nil && informer != nil && informer.Obj().Name() == kind.Obj().Name()+"Informer"
	case isIn(fn, "k8s.io/client-go/tools/cache"):
		return strings.HasPrefix(fn.Name(), "New") && strings.Contains(fn.Name(), "Informer") && s.w.takesObject(call)
	case isIn(fn, "k8s.io/client-go/tools/watch"):
		return fn.Name() == "Until" || fn.Name() == "ListWatchUntil" || fn.Name() == "UntilWithSync" && s.w.takesObject(call)
	}
	return false
}

// helperReads reports whether a call runs a function of the package that reads the
// object, or waits for its change.
func (s *readSearch) helperReads(call *ast.CallExpr, needed bool) bool {
	decl := s.w.fixer.declaration(calledFunc(s.w.fixer.pass.TypesInfo, call))
	if decl == nil || s.open[decl] || len(s.open) == maxHelpers || decl == s.w.declaration {
		return false
	}
	s.open[decl] = true
	defer delete(s.open, decl)
	below := &readSearch{w: s.w, client: s.client, open: s.open}
	if fn := s.w.fixer.result().function(s.w.fixer.pass.TypesInfo.Defs[decl.Name]); fn != nil {
		below.guarded = s.w.fixer.result().guarded(fn)
	}
	below.visit(decl, needed, token.NoPos)
	return len(below.found) > 0
}

// declaration returns the declaration of a function of the package, or nil.
func (x *Fixer) declaration(fn *types.Func) *ast.FuncDecl {
	if x.declarations == nil {
		x.declarations = map[types.Object]*ast.FuncDecl{}
		for _, file := range x.pass.Files {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
					x.declarations[x.pass.TypesInfo.Defs[d.Name]] = d
				}
			}
		}
	}
	if fn == nil {
		return nil
	}
	return x.declarations[fn.Origin()]
}

// calledFunc returns the function or method that a call runs. It returns nil for a
// function value.
func calledFunc(info *types.Info, call *ast.CallExpr) *types.Func {
	id := apicall.CalledName(call)
	if id == nil {
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// isIn reports whether a function belongs to the package with a path.
func isIn(fn *types.Func, path string) bool {
	return fn.Pkg() != nil && unvendored(fn.Pkg().Path()) == path
}

func sameClient(info *types.Info, client types.Type, e ast.Expr) bool {
	t := info.TypeOf(e)
	return t != nil && types.Identical(t, client)
}

// sameObject reports whether a read may return an object of the kind that the write
// stores. The client of a typed clientset is for one kind. Other clients get the object
// as an argument.
func (w *fixable) sameObject(read *ast.CallExpr) bool {
	if w.call.Object == nil || w.call.Receiver == nil || w.takesObject(read) {
		return true
	}
	kind := namedOf(w.call.ObjectType)
	sig := w.fixer.pass.TypesInfo.TypeOf(read)
	if t, ok := sig.(*types.Tuple); ok && t.Len() > 0 && kind != nil {
		n := namedOf(t.At(0).Type())
		return n != nil && n.Obj() == kind.Obj()
	}
	return false
}

// takesObject reports whether an argument of a call is an object of the kind that the
// write stores, or a list of such objects.
func (w *fixable) takesObject(call *ast.CallExpr) bool {
	kind := namedOf(w.call.ObjectType)
	if kind == nil {
		return false
	}
	for _, a := range call.Args {
		n := namedOf(w.fixer.pass.TypesInfo.TypeOf(a))
		if n != nil && (n.Obj() == kind.Obj() || n.Obj().Pkg() == kind.Obj().Pkg() && n.Obj().Name() == kind.Obj().Name()+"List") {
			return true
		}
	}
	return false
}
