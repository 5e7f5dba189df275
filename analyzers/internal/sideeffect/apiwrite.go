package sideeffect

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Stores reports whether a write changes stored data if its options do not ask for a dry
// run. It ignores the options. dryrun.RealWrite reads them.
func Stores(c *apicall.Call) bool {
	if c.Fake || c.Client.DryRun.State == apicall.Set || c.Client.DryRun.State == apicall.Passed {
		return false
	}
	kind := c.GVK.Kind
	if n, ok := types.Unalias(c.ObjectType).(*types.Named); ok && kind == "" {
		kind = n.Obj().Name()
	}
	// A server answers reviews and token requests without storing them. Events do not count
	// as state.
	return c.Verb != apicall.VerbToken && !c.MaybeReview && !c.IsReview() && !strings.HasSuffix(kind, "Review") && kind != "TokenRequest" && kind != "Event"
}

// declared returns the method that a synthetic function wraps.
func declared(fn *ssa.Function) *types.Func {
	m, _ := fn.Object().(*types.Func)
	return m
}
