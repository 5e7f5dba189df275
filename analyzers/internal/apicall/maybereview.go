package apicall

import (
	"bytes"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// reviewsFact is the fact about a package whose text names the kind or the resource of a
// review, such as SubjectAccessReview. Objects of unknown kind from such a package may be
// reviews.
type reviewsFact struct{}

// AFact marks the type as a fact.
func (*reviewsFact) AFact() {}

func (*reviewsFact) String() string { return "names reviews" }

// namesReviews reports whether the text of a package names reviews that the server does
// not store. It searches the files, because that is cheaper than walking the syntax.
func namesReviews(pass *analysis.Pass) bool {
	if pass.ReadFile == nil {
		return false
	}
	for _, file := range pass.Files {
		text, err := pass.ReadFile(pass.Fset.File(file.FileStart).Name())
		if err != nil {
			continue
		}
		for _, word := range []string{"AccessReview", "TokenReview", "accessreviews", "tokenreviews"} {
			if bytes.Contains(text, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// mayBeReview reports whether a call creates an object of unknown kind that may be a
// review:
//
//   - The package names reviews, and the object is not just a parameter.
//   - The object or its kind comes from a package that names reviews.
//   - The object or its kind comes from code that does not compile.
func (p *program) mayBeReview(c *Call) bool {
	if c.Verb != VerbCreate || c.GVK.Kind != "" || c.Subresource != "" || c.Instr == nil {
		return false
	}
	v := p.objectValue(c)
	if v == nil && len(c.Args) > 1 {
		v = c.Args[1] // after the context
	}
	if v == nil {
		return p.reviews
	}
	if p.reviews && p.untyped(v, map[ssa.Value]bool{}) {
		return true
	}
	o := &origins{p: p, seen: map[ssa.Value]bool{}}
	return o.hidden(v) || c.Family == Dynamic && o.resource(c.client)
}

// untyped reports whether the package may choose an object of unknown kind for a value. A
// parameter is such an object only if the package passes one.
func (p *program) untyped(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = withoutInterfaces(v)
	if seen[v] {
		return false
	}
	seen[v] = true
	param, ok := v.(*ssa.Parameter)
	if !ok {
		kind, _ := KindOf(v.Type())
		return kind.Kind == ""
	}
	i := slices.Index(param.Parent().Params, param)
	return slices.ContainsFunc(p.callers[param.Parent()], func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		return !call.Common().IsInvoke() && i < len(args) && p.untyped(args[i], seen)
	})
}

// origins finds out from where a value comes.
type origins struct {
	p    *program
	seen map[ssa.Value]bool
}

// hidden reports whether a value, or a part of it, may come from code that does not
// compile, or from a package that names reviews.
func (o *origins) hidden(v ssa.Value) bool {
	if v == nil || o.seen[v] || len(o.seen) > 200 {
		return false
	}
	o.seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		return o.ofCall(v)
	case *ssa.Global:
		return o.unknown(v.Object()) || slices.ContainsFunc(o.p.globalStores[v], func(s *ssa.Store) bool { return o.hidden(s.Val) })
	case *ssa.FieldAddr:
		f := fieldOf(v.X.Type(), v.Field)
		return f != nil && o.unknown(f) || o.hidden(v.X) || o.stored(v)
	case *ssa.Parameter:
		return o.ofParameter(v)
	case *ssa.Alloc:
		return o.stored(v)
	case *ssa.MakeMap:
		return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			update, ok := r.(*ssa.MapUpdate)
			return ok && o.hidden(update.Value)
		})
	case *ssa.Phi, *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.TypeAssert, *ssa.UnOp, *ssa.Field, *ssa.BinOp:
		var operands [8]*ssa.Value
		return slices.ContainsFunc(v.(ssa.Instruction).Operands(operands[:0]), func(w *ssa.Value) bool { return o.hidden(*w) })
	}
	return false
}

// resource reports whether the resource that a call of a dynamic client names is hidden.
func (o *origins) resource(client ssa.Value) bool {
	call, ok := client.(*ssa.Call)
	return ok && call.Call.IsInvoke() && (slices.ContainsFunc(call.Call.Args, o.hidden) || o.resource(call.Call.Value))
}

// ofCall does what hidden does for the result of a call.
func (o *origins) ofCall(call *ssa.Call) bool {
	common := call.Common()
	fn, args := calleeOf(common)
	if fn != nil && o.unknown(fn) {
		return true
	}
	body := common.StaticCallee()
	if body == nil || len(body.Blocks) == 0 {
		return slices.ContainsFunc(args, func(v ssa.Value) bool { return saysKind(v.Type()) && o.hidden(v) })
	}
	for _, b := range body.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && slices.ContainsFunc(r.Results, o.hidden) {
			return true
		}
	}
	return false
}

// ofParameter does what hidden does for the arguments of the calls in the package.
func (o *origins) ofParameter(param *ssa.Parameter) bool {
	i := slices.Index(param.Parent().Params, param)
	return slices.ContainsFunc(o.p.callers[param.Parent()], func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		return !call.Common().IsInvoke() && i < len(args) && o.hidden(args[i])
	})
}

// stored does what hidden does for the values that are stored at an address, or that calls
// put there.
func (o *origins) stored(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && o.hidden(r.Val) {
				return true
			}
		case *ssa.FieldAddr:
			if o.hidden(r) {
				return true
			}
		case *ssa.MakeInterface:
			if o.stored(r) {
				return true
			}
		case ssa.CallInstruction:
			fn, args := calleeOf(r.Common())
			if fn != nil && o.p.shapes.of(fn) == nil && (o.unknown(fn) || slices.ContainsFunc(args, func(v ssa.Value) bool { return saysKind(v.Type()) && o.hidden(v) })) {
				return true
			}
		}
	}
	return false
}

// unknown reports whether a function or variable does not compile, or belongs to another
// package that names reviews.
func (o *origins) unknown(obj types.Object) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	_, variable := obj.(*types.Var)
	return o.p.code.Unseen(obj) || variable && o.p.code.Mentions(obj) || obj.Pkg() != o.p.pass.Pkg && o.p.pass.ImportPackageFact(obj.Pkg(), &reviewsFact{})
}

// saysKind reports whether a value of a type can name the kind of an object.
func saysKind(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind() == types.String
	}
	_, name, _ := named(t)
	switch name {
	case "GroupVersionKind", "GroupVersionResource", "GroupVersion", "Unstructured", "TypeMeta":
		return true
	}
	_, isMap := t.Underlying().(*types.Map)
	return isMap
}
