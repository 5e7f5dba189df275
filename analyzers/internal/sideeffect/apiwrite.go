package sideeffect

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Stores reports whether a write changes the server's data unless its options prevent
// it. Unlike dryrun.Bare it ignores the options: it is for callers that know them not
// to ask for a dry run.
func Stores(c *apicall.Call) bool {
	if c.Fake || c.Client.DryRun.State == apicall.Set || c.Client.DryRun.State == apicall.Passed {
		return false
	}
	kind := c.GVK.Kind
	if n, ok := types.Unalias(c.ObjectType).(*types.Named); ok && kind == "" {
		kind = n.Obj().Name()
	}
	// Reviews and token requests are questions that a server answers and forgets.
	// Events are distinguished from state.
	return c.Verb != apicall.VerbToken && !strings.HasSuffix(kind, "Review") && kind != "TokenRequest" && kind != "Event"
}

// declared is the method behind a synthetic function that wraps it.
func declared(fn *ssa.Function) *types.Func {
	m, _ := fn.Object().(*types.Func)
	return m
}
