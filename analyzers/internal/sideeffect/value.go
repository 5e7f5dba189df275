package sideeffect

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"golang.org/x/tools/go/ssa"
)

// ByValue returns the effect of calling a function in a field. The function must have the
// signature of a write to an API, and the call must create the options:
//
//	p.updateCluster(ctx, cluster, metav1.UpdateOptions{})
//
// The program is assumed to store a function that writes in the field. Only tests store
// other functions there.
func ByValue(i ssa.CallInstruction) (Effect, bool) {
	common := i.Common()
	load, ok := common.Value.(*ssa.UnOp)
	if common.IsInvoke() || !ok || load.Op != token.MUL {
		return Effect{}, false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return Effect{}, false
	}
	sig := common.Signature()
	results, params := sig.Results(), sig.Params()
	if results.Len() == 0 || !types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type()) {
		return Effect{}, false
	}
	verb := ""
	for n := range min(params.Len(), len(common.Args)) {
		t, ok := types.Unalias(params.At(n).Type()).(*types.Named)
		if !ok || t.Obj().Pkg() == nil || apicall.ImportPath(t.Obj().Pkg()) != "k8s.io/apimachinery/pkg/apis/meta/v1" {
			continue
		}
		word := map[string]string{"CreateOptions": "creates", "UpdateOptions": "updates", "PatchOptions": "patches", "DeleteOptions": "deletes"}[t.Obj().Name()]
		if word == "" {
			continue
		}
		if verb != "" || !zero(common.Args[n]) {
			return Effect{}, false
		}
		verb = word
	}
	if verb == "" {
		return Effect{}, false
	}
	what := "an object"
	if kind := objectKind(sig); kind != "" {
		if unstored(kind) {
			return Effect{}, false
		}
		what = "a " + kind
		if strings.ContainsRune("AEIO", rune(kind[0])) {
			what = "an " + kind
		}
	}
	name := fieldName(field.X.Type(), field.Field)
	return Effect{Pos: i.Pos(), End: i.Pos(), Text: verb + " " + what + " (by " + name + ")"}, true
}

// zero reports whether a value is a struct without any set field.
func zero(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil
	case *ssa.UnOp:
		made, ok := v.X.(*ssa.Alloc)
		if !ok || made.Heap {
			return false
		}
		for _, r := range *made.Referrers() {
			if _, debug := r.(*ssa.DebugRef); r != ssa.Instruction(v) && !debug {
				return false
			}
		}
		return true
	}
	return false
}

// objectKind returns the type of the API object that a function takes or returns, or "".
func objectKind(sig *types.Signature) string {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if kind := dryrun.KindOfObject(v.Type()); kind != "" {
				return kind
			}
		}
	}
	return ""
}
