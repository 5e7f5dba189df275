package dryrun

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// RealWrite reports whether a write certainly changes objects on the server: as far as
// is known, neither its options nor its client ask for a dry run. It returns false for
// writes that store nothing.
func RealWrite(c *apicall.Call) bool {
	if c.Instr == nil || c.Fake || storesNothing(c) {
		return false
	}
	switch {
	case c.DryRun.Empty():
		return true
	case c.DryRun.State != apicall.Unknown || !c.Own.DryRun.Empty():
		return false
	}
	// The client is a parameter or a field, and the options of the call do not set dry run.
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource, apicall.CreateOr, apicall.Wrapper:
		return true
	}
	return false
}

// storesNothing reports whether a write stores no object of the user. Such a write asks
// the server a question, or stores a record about the program itself, such as a Lease
// or an Event.
func storesNothing(c *apicall.Call) bool {
	if c.Verb == apicall.VerbToken || c.MaybeReview || c.IsReview() {
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
	case "ImageStreamImport", "DeploymentConfigRollback": // of OpenShift: the first only returns an answer, the second has a dry run in its spec
		return true
	}
	return kind == "Event" && (group == "" || group == "core" || group == "events" || group == "events.k8s.io") ||
		strings.HasSuffix(kind, "AccessReview") || strings.HasSuffix(kind, "TokenReview")
}

// specDryRun reports whether an API type has a field for a dry run, itself or in a
// struct that it contains and that its package declares.
func specDryRun(n *types.Named) bool {
	return isAPI(n) && hasDryRunField(n, n.Obj().Pkg(), 0)
}

func hasDryRunField(n *types.Named, pkg *types.Package, depth int) bool {
	st, ok := n.Underlying().(*types.Struct)
	if !ok || n.Obj().Pkg() != pkg {
		return false
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if ok, _ := dryRunName(f.Name()); ok {
			return true
		}
		if inner := namedOf(f.Type()); inner != nil && inner != n && depth < 4 && hasDryRunField(inner, pkg, depth+1) {
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
