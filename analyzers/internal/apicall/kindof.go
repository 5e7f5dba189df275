package apicall

import (
	"go/types"
	"strings"
)

// KindOf returns the kind of a Go type, or of the type to which a pointer points. known
// is false if the type's package does not show the API group. kind.Group is then empty,
// as for the core group.
func KindOf(t types.Type) (kind GVK, known bool) {
	if t == nil {
		return GVK{}, false
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	kind = gvkOf(t)
	if kind.Kind == "" {
		return GVK{}, false
	}
	path, _, _ := named(t)
	return kind, kind.Group != "" || strings.HasPrefix(path, apiPath)
}

// GroupOf returns the API group of a package of API types, from the package's path or a
// constant in the package. known is false if neither shows the group.
func GroupOf(pkg *types.Package) (group string, known bool) {
	path := ImportPath(pkg)
	if rest, ok := strings.CutPrefix(path, apiPath); ok {
		dir, _, _ := strings.Cut(rest, "/")
		group, known = groupNames[dir]
		return group, known
	}
	if strings.HasPrefix(path, apiExtPath) {
		return "apiextensions.k8s.io", true
	}
	group = declaredGroup(pkg)
	return group, group != ""
}
