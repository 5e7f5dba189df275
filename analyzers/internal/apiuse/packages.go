package apiuse

import (
	"go/types"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// apiPackage describes an imported package for one version of an API group.
type apiPackage struct {
	form         Form // Type, Client, Informer, Lister or Apply
	groupVersion string
	// parts maps the name of each type to the kinds that contain the type. It is computed
	// at first use.
	parts map[string][]lifecycle.API
}

// roots are the directories whose subdirectories <group>/<version> contain a package for
// that version.
var roots = []struct {
	prefix string
	form   Form
}{
	{"k8s.io/api/", Type},
	{"k8s.io/apiextensions-apiserver/pkg/apis/", Type},
	{"k8s.io/kube-aggregator/pkg/apis/", Type},
	{"k8s.io/client-go/kubernetes/typed/", Client},
	{"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/", Client},
	{"k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset/typed/", Client},
	{"k8s.io/client-go/informers/", Informer},
	{"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/", Informer},
	{"k8s.io/kube-aggregator/pkg/client/informers/externalversions/", Informer},
	{"k8s.io/client-go/listers/", Lister},
	{"k8s.io/apiextensions-apiserver/pkg/client/listers/", Lister},
	{"k8s.io/kube-aggregator/pkg/client/listers/", Lister},
	{"k8s.io/client-go/applyconfigurations/", Apply},
}

// groups maps the names of directories to API groups.
var groups = sync.OnceValue(groupFolders)

func groupFolders() map[string]string {
	folders := map[string]string{"core": ""}
	for api := range lifecycle.All() {
		if group := api.Group(); group != "" {
			folders[folder(group)] = group
		}
	}
	return folders
}

// folder returns the name of the directory for a group's packages.
func folder(group string) string {
	switch group {
	case "":
		return "core"
	case "internal.apiserver.k8s.io":
		return "apiserverinternal"
	}
	name, _, _ := strings.Cut(group, ".")
	return name
}

// packageOf describes an imported package. It returns nil if the package is not for a
// version of a group.
func (s *search) packageOf(pkg *types.Package) *apiPackage {
	if pkg == nil {
		return nil
	}
	p, ok := s.packages[pkg]
	if !ok {
		p = newAPIPackage(unvendored(pkg.Path()))
		s.packages[pkg] = p
	}
	return p
}

func newAPIPackage(path string) *apiPackage {
	if !strings.HasPrefix(path, "k8s.io/") {
		return nil
	}
	for _, root := range roots {
		rest, ok := strings.CutPrefix(path, root.prefix)
		if !ok {
			continue
		}
		name, version, ok := strings.Cut(rest, "/")
		group, known := groups()[name]
		if !ok || !known || strings.Contains(version, "/") {
			return nil
		}
		gv := version
		if group != "" {
			gv = group + "/" + version
		}
		return &apiPackage{form: root.form, groupVersion: gv}
	}
	return nil
}

// importPath returns the import path of the package for a form and a version. It
// returns "" if the package is not known.
func importPath(form Form, groupVersion string) string {
	group, version := "", groupVersion
	if g, v, ok := strings.Cut(groupVersion, "/"); ok {
		group, version = g, v
	}
	name := folder(group)
	for _, root := range roots {
		if root.form != form {
			continue
		}
		switch {
		case group == "apiextensions.k8s.io" != strings.HasPrefix(root.prefix, "k8s.io/apiextensions-apiserver/"),
			group == "apiregistration.k8s.io" != strings.HasPrefix(root.prefix, "k8s.io/kube-aggregator/"):
			continue
		}
		return root.prefix + name + "/" + version
	}
	return ""
}

// kindsOf returns the kind that has this name, or the kinds that contain the type with
// this name.
func (p *apiPackage) kindsOf(pkg *types.Package, name string) []lifecycle.API {
	switch p.form {
	case Type:
		if api, ok := lookup(p.groupVersion, name); ok {
			return []lifecycle.API{api}
		}
		if p.parts == nil {
			p.parts = partsOf(pkg, p.groupVersion)
		}
		return p.parts[name]
	case Client:
		name = strings.TrimSuffix(name, "Interface")
	case Informer:
		name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "New"), "Typed"), "Informer")
	case Lister:
		name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "New"), "Lister"), "Namespace")
	case Apply:
		name = strings.TrimSuffix(name, "ApplyConfiguration")
		name = strings.TrimSuffix(strings.TrimPrefix(name, "Extract"), "Status")
	}
	if api, ok := lookup(p.groupVersion, name); ok {
		return []lifecycle.API{api}
	}
	return nil
}

// partsOf returns, for each type of a package, the kinds that contain the type.
func partsOf(pkg *types.Package, groupVersion string) map[string][]lifecycle.API {
	parts := map[string][]lifecycle.API{}
	for _, name := range pkg.Scope().Names() {
		api, ok := lookup(groupVersion, name)
		if !ok || api.Kind() != name {
			continue
		}
		seen := map[*types.TypeName]bool{}
		if obj, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			walkParts(obj.Type(), pkg, seen)
		}
		for part := range seen {
			parts[part.Name()] = append(parts[part.Name()], api)
		}
	}
	return parts
}

// walkParts adds to seen the types of a package that the type t contains.
func walkParts(t types.Type, pkg *types.Package, seen map[*types.TypeName]bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != pkg || seen[t.Obj()] {
			return
		}
		seen[t.Obj()] = true
		walkParts(t.Underlying(), pkg, seen)
	case *types.Pointer:
		walkParts(t.Elem(), pkg, seen)
	case *types.Slice:
		walkParts(t.Elem(), pkg, seen)
	case *types.Map:
		walkParts(t.Key(), pkg, seen)
		walkParts(t.Elem(), pkg, seen)
	case *types.Struct:
		for field := range t.Fields() {
			walkParts(field.Type(), pkg, seen)
		}
	}
}
