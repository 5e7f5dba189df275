package dryrun

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// Bare reports whether a write is provably not sent as a dry run: neither its
// options nor, as far as is known, its client ask for one. Writes that store
// nothing are not bare.
func Bare(c *apicall.Call) bool {
	if c.Instr == nil || c.Fake || storesNothing(c) {
		return false
	}
	switch {
	case c.DryRun.Empty():
		return true
	case c.DryRun.State != apicall.Unknown || !c.Own.DryRun.Empty():
		return false
	}
	// A client from outside, and a call that says nothing itself.
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource, apicall.CreateOr, apicall.Wrapper:
		return true
	}
	return false
}

// storesNothing reports whether a write asks a question, or says something
// about the program itself rather than about the user's objects.
func storesNothing(c *apicall.Call) bool {
	if c.Verb == apicall.VerbToken {
		return true
	}
	group, kind := c.GVK.Group, c.GVK.Kind
	if n := namedOf(c.ObjectType); n != nil && n.Obj().Pkg() != nil {
		path := unvendored(n.Obj().Pkg().Path())
		kind = n.Obj().Name()
		switch {
		case strings.HasPrefix(path, "k8s.io/api/"):
			group, _, _ = strings.Cut(strings.TrimPrefix(path, "k8s.io/api/"), "/")
		case strings.Contains(path, "/apis/"):
			_, group, _ = strings.Cut(path, "/apis/")
			group, _, _ = strings.Cut(group, "/")
		}
		if specDryRun(n) {
			return true
		}
	}
	switch group {
	case "authorization", "authentication", "authorization.k8s.io", "authentication.k8s.io":
		return true
	case "coordination", "coordination.k8s.io":
		return kind == "Lease"
	}
	switch kind {
	case "ImageStreamImport", "DeploymentConfigRollback": // of OpenShift: answers, or told by their spec
		return true
	}
	return kind == "Event" && (group == "" || group == "core" || group == "events" || group == "events.k8s.io") ||
		strings.HasSuffix(kind, "AccessReview") || strings.HasSuffix(kind, "TokenReview")
}

// specDryRun reports whether an object says itself that it is about a dry run:
// a field of it, or of the structs of its package that it holds, has the name.
func specDryRun(n *types.Named) bool {
	return isAPI(n) && saysDryRun(n, n.Obj().Pkg(), 0)
}

func saysDryRun(n *types.Named, pkg *types.Package, depth int) bool {
	st, ok := n.Underlying().(*types.Struct)
	if !ok || n.Obj().Pkg() != pkg {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if ok, _ := wishName(f.Name()); ok {
			return true
		}
		if inner := namedOf(f.Type()); inner != nil && inner != n && depth < 4 && saysDryRun(inner, pkg, depth+1) {
			return true
		}
	}
	return false
}

func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}
