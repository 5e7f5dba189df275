package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// dryRunVars finds out which variables and fields hold the dry run.
type dryRunVars struct {
	pass     *analysis.Pass
	bound    map[types.Object]binding
	memo     map[types.Object]dryRunVar
	inModule map[*types.Package]bool // of the same module
}

// dryRunVar describes one variable or field. ok is true if it holds the dry run, or,
// with negative, the opposite.
type dryRunVar struct {
	ok, negative bool
	// bound reports whether the value of a flag is bound to the variable, in this
	// package or in another package of the module. Without a flag, only the name or the
	// type says that the variable holds a dry run.
	bound bool
	// kind is Options or Request for fields of such types, and zero for other fields.
	kind SourceKind
}

// describe returns the description of a variable, a parameter or a field.
func (w *dryRunVars) describe(v *types.Var) dryRunVar {
	v = v.Origin()
	if got, ok := w.memo[v]; ok {
		return got
	}
	got := w.compute(v)
	w.memo[v] = got
	return got
}

func (w *dryRunVars) compute(v *types.Var) dryRunVar {
	if b, ok := w.bound[v]; ok {
		return dryRunVar{ok: true, negative: b.Negative, bound: b.Flag != ""}
	}
	shape := shapeOf(v.Type())
	if shape == 0 {
		return dryRunVar{}
	}
	var fact flagBound
	if v.Pkg() != nil && v.Pkg() != w.pass.Pkg && (v.IsField() || v.Parent() == v.Pkg().Scope()) && w.pass.ImportObjectFact(v, &fact) {
		return dryRunVar{ok: true, negative: fact.Negative, bound: true}
	}
	if shape == Strategy {
		return dryRunVar{ok: true}
	}
	ok, negative := dryRunName(v.Name())
	if !ok || shape == List && squeeze(v.Name()) != "dryrun" || shape != Bool && squeeze(v.Name()) == short {
		return dryRunVar{}
	}
	if v.IsField() && v.Name() == "DryRun" && v.Pkg() != nil {
		switch path := unvendored(v.Pkg().Path()); {
		case path == "k8s.io/apimachinery/pkg/apis/meta/v1" || path == "sigs.k8s.io/controller-runtime/pkg/client":
			return dryRunVar{ok: true, kind: Options}
		case strings.HasPrefix(path, "k8s.io/api/admission/") || path == "k8s.io/kubernetes/pkg/apis/admission":
			return dryRunVar{ok: true, kind: Request}
		}
	}
	return dryRunVar{ok: true, negative: negative}
}

// fieldOf returns the field of a struct that holds the dry run; nil if there is none.
// It also searches the structs in the struct, two levels deep, but not API types. In an
// API type, a dry run is a setting of the object, and the reconciler still writes the
// object's status.
func (w *dryRunVars) fieldOf(t types.Type) *types.Var {
	f, _ := w.findField(t, 0)
	return f
}

// findField is like fieldOf. It also returns the names before the field in code, such
// as "Flags.", without the names of embedded structs.
func (w *dryRunVars) findField(t types.Type, depth int) (found *types.Var, before string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, named := types.Unalias(t).(*types.Named)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || !named && depth == 0 || named && isAPI(n) {
		return nil, ""
	}
	if depth == 0 && n.Obj().Pkg() != nil && isOptions(n) {
		return nil, ""
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if got := w.describe(f); got.ok && got.kind == 0 {
			return f.Origin(), ""
		}
	}
	if depth == 2 {
		return nil, ""
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !w.isLocal(f.Pkg()) {
			continue
		}
		if got, before := w.findField(f.Type(), depth+1); got != nil {
			if !f.Embedded() {
				before = f.Name() + "." + before
			}
			return got, before
		}
	}
	return nil, ""
}

// isLocal reports whether a package seems to belong to the analyzed module.
func (w *dryRunVars) isLocal(p *types.Package) bool {
	if p == nil {
		return false
	}
	got, ok := w.inModule[p]
	if !ok {
		got = sameModule(p.Path(), w.pass.Pkg.Path())
		w.inModule[p] = got
	}
	return got
}

// sameModule guesses from the first elements of two import paths whether they belong to
// one module.
func sameModule(a, b string) bool {
	return root(unvendored(a)) == root(unvendored(b))
}

func root(path string) string {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) > 3 {
		parts = parts[:3]
	}
	if len(parts) > 0 && !strings.Contains(parts[0], ".") {
		return parts[0]
	}
	return strings.Join(parts, "/")
}

// isAPI reports whether a type is an object of an API, or a part of one. The generated
// method DeepCopyInto is not enough: in a package without API objects, options of
// functions may have it.
func isAPI(n *types.Named) bool {
	switch {
	case hasMethod(n, "DeepCopyObject"):
		return true
	case hasMethod(n, "ProtoMessage"):
		// A dry run in the request of a remote call is for that call, not for an object.
		return !strings.HasSuffix(n.Obj().Name(), "Request") || hasMethod(n, "DeepCopyInto")
	case !hasMethod(n, "DeepCopyInto") || n.Obj().Pkg() == nil:
		return false
	}
	scope := n.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			return false
		}
		object, ok := types.Unalias(tn.Type()).(*types.Named)
		return ok && hasMethod(object, "DeepCopyObject")
	})
}

// hasMethod reports whether a type declares a method.
func hasMethod(n *types.Named, name string) bool {
	for m := range n.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// isOptions reports whether a type is one of the options of metav1 or controller-runtime.
func isOptions(n *types.Named) bool {
	if n.Obj().Pkg() == nil {
		return false
	}
	switch unvendored(n.Obj().Pkg().Path()) {
	case "k8s.io/apimachinery/pkg/apis/meta/v1", "sigs.k8s.io/controller-runtime/pkg/client":
		return strings.HasSuffix(n.Obj().Name(), "Options") || strings.HasSuffix(n.Obj().Name(), "Option")
	}
	return false
}

// unvendored returns an import path without the prefix up to a vendor directory.
func unvendored(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}
