package webhookdryrun

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// holds reports whether a type is, points to or embeds one of the named types of
// k8s.io/api/admission.
func holds(t types.Type, names ...string) bool { return holdsWithin(t, 3, names) }

func holdsWithin(t types.Type, depth int, names []string) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if isReview(t, names...) {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && holdsWithin(f.Type(), depth-1, names) {
			return true
		}
	}
	return false
}

// pathToRequest returns the fields that lead from a struct, or a pointer to one, to an
// admission request, such as Review.Request. It returns "" if no field is a request or a review.
func pathToRequest(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for f := range st.Fields() {
		switch {
		case holds(f.Type(), "AdmissionRequest"):
			return f.Name()
		case holds(f.Type(), "AdmissionReview"):
			return f.Name() + ".Request"
		}
	}
	return ""
}

func isReview(t types.Type, names ...string) bool {
	n := named(t)
	if n == nil || !strings.HasPrefix(apicall.ImportPath(n.Obj().Pkg()), reviewPrefix) {
		return false
	}
	for _, name := range names {
		if n.Obj().Name() == name {
			return true
		}
	}
	return false
}

// isObject reports whether a type is runtime.Object, an API type that implements it, or a
// type parameter for such types.
func isObject(t types.Type) bool {
	has := func(name string) bool {
		o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		_, ok := o.(*types.Func)
		return ok
	}
	return has("DeepCopyObject") && has("GetObjectKind")
}

// named returns the declared type of a type or of its pointer's target. It returns nil for
// other types.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

func isNamed(t types.Type, path, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == name && apicall.ImportPath(n.Obj().Pkg()) == path
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func onlyError(results *types.Tuple) bool { return results.Len() == 1 && isError(results.At(0).Type()) }
