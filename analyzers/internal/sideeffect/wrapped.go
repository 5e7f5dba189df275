package sideeffect

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"golang.org/x/tools/go/ssa"
)

// wrapped returns the effect of a call of another module's function that probably writes to
// an API. The function's name and its arguments, a client and an object, show the effect:
//
//	clientutil.CreateOrPatch(ctx, c, &cm, func(obj client.Object, created bool) client.Object { … })
//	resourceapply.ApplyConfigMap(ctx, cs.CoreV1(), recorder, required)
//
// wrapped returns false for functions such as UpdateLabels, which may only change an object
// in memory. It also returns false for calls that may ask for a dry run.
func (r *Result) wrapped(i ssa.CallInstruction) (Effect, bool) {
	callee := Method(i)
	if !r.wraps(callee) {
		return Effect{}, false
	}
	kind := ""
	for _, a := range i.Common().Args {
		a = concrete(a)
		switch v := a.(type) {
		case *ssa.Const:
			if v.Value != nil && v.Value.Kind() == constant.Bool && constant.BoolVal(v.Value) {
				return Effect{}, false // the argument may be the dry run
			}
		default:
			if b, ok := a.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
				return Effect{}, false
			}
		}
		if hasOptions(a.Type()) && !zero(a) {
			return Effect{}, false
		}
		if k := dryrun.KindOfObject(a.Type()); k != "" && kind == "" {
			kind = k
		}
	}
	does := writesBy(callee.Name(), kind)
	if kind == "" || does == "" || unstored(kind) {
		return Effect{}, false
	}
	what := "a " + kind
	if strings.ContainsRune("AEIO", rune(kind[0])) {
		what = "an " + kind
	}
	return Effect{Pos: i.Pos(), End: i.Pos(), Text: does + " " + what + " (with " + Qualified(callee) + ")"}, true
}

// wraps reports whether a function may write for its caller: it belongs to another module,
// takes a client and returns an error.
func (r *Result) wraps(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == r.pass.Pkg || r.pass.Module == nil || writesBy(fn.Name(), "*") == "" {
		return false
	}
	path := apicall.ImportPath(fn.Pkg())
	if below(path, r.pass.Module.Path) || strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/controller-runtime/") {
		return false // other code knows these packages
	}
	sig := fn.Signature()
	results := sig.Results()
	if results.Len() == 0 || !types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	for p := range sig.Params().Variables() {
		if isClient(p.Type()) {
			return true
		}
	}
	return false
}

// writesBy returns what the name of a function says that it does to objects of a kind. For
// CreateConfigMap and the kind ConfigMap, it returns "creates". It returns "" for other
// names. The kind "*" is any kind.
func writesBy(name, kind string) string {
	for _, w := range []struct{ name, does string }{
		{"CreateOrUpdate", "creates or updates"}, {"CreateOrPatch", "creates or patches"}, {"CreateOrReplace", "creates or replaces"},
		{"CreateOrApply", "creates or applies"}, {"CreateIfNotExists", "creates"}, {"CreateIfNotExist", "creates"}, {"DeleteIfExists", "deletes"},
		{"Upsert", "creates or updates"}, {"UpdateStatus", "updates the status of"}, {"PatchStatus", "patches the status of"},
		{"Create", "creates"}, {"Apply", "applies"}, {"Delete", "deletes"}, {"Update", "updates"}, {"Patch", "patches"},
	} {
		rest, ok := strings.CutPrefix(name, w.name)
		if !ok {
			continue
		}
		// UpdatePod and PatchPod may change a pod in memory.
		if rest == "" || w.name != "Update" && w.name != "Patch" && (rest == kind || kind == "*") {
			return w.does
		}
	}
	return ""
}

// isClient reports whether a type is a Kubernetes client that can write: one of
// controller-runtime or client-go, or a part of one.
func isClient(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	name := n.Obj().Name()
	switch path := apicall.ImportPath(n.Obj().Pkg()); {
	case path == "sigs.k8s.io/controller-runtime/pkg/client":
		return name == "Client" || name == "Writer" || name == "WithWatch"
	case path == "k8s.io/client-go/kubernetes":
		return name == "Interface" || name == "Clientset"
	case path == "k8s.io/client-go/dynamic":
		return strings.HasSuffix(name, "Interface")
	case below(path, "k8s.io/client-go/kubernetes/typed"):
		return strings.HasSuffix(name, "Interface") || strings.HasSuffix(name, "Getter")
	}
	return false
}

// concrete returns a value without its conversions to interfaces.
func concrete(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// hasOptions reports whether a type is an option of a request, options, or a list of them.
func hasOptions(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch apicall.ImportPath(n.Obj().Pkg()) {
	case "k8s.io/apimachinery/pkg/apis/meta/v1", "sigs.k8s.io/controller-runtime/pkg/client":
		return strings.HasSuffix(n.Obj().Name(), "Options") || strings.HasSuffix(n.Obj().Name(), "Option")
	}
	return false
}

// unstored reports whether objects of a kind are not stored, or are irrelevant to a user
// who asks for a dry run.
func unstored(kind string) bool {
	return strings.HasSuffix(kind, "Review") || kind == "TokenRequest" || kind == "Event" || kind == "Lease"
}
