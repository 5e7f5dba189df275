package apicall

import (
	"go/types"
	"slices"
	"strings"
)

// IsHelper reports whether apicall follows calls into a package of another module. path
// is the import path of the package, and imports are those of the packages that it
// imports. The result is false for client libraries, whose functions are recognized by
// their signatures, and for the standard library, whose functions do not write.
func IsHelper(path string, imports []string) bool {
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") || strings.Contains(path, "/clientset/") || isFake(path) {
		return false
	}
	if isTypes(path) && !slices.Contains(imports, clientPath) {
		return false
	}
	for _, prefix := range knownModules {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
			return false
		}
	}
	return true
}

// isTypes reports whether a package has API types, or code that is generated for them.
// The import path of such a package has a version below a directory for APIs, or a
// directory for clients, listers or informers.
func isTypes(path string) bool {
	for _, dir := range []string{"/typed/", "/listers/", "/informers/", "/applyconfiguration/", "/applyconfigurations/"} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	elements := strings.Split(path, "/")
	if !isVersion(elements[len(elements)-1]) {
		return false
	}
	return slices.Contains(elements, "api") || slices.Contains(elements, "apis")
}

// knownModules lists modules into which calls are not followed. apicall recognizes the
// functions of some by their signatures, and assumes that the others do not write, even
// if they import clients.
var knownModules = []string{
	"k8s.io/client-go", "k8s.io/apimachinery", "k8s.io/api", "k8s.io/apiserver", "k8s.io/apiextensions-apiserver",
	"k8s.io/cli-runtime", "k8s.io/component-base", "k8s.io/component-helpers", "k8s.io/utils", "k8s.io/klog",
	"k8s.io/kube-openapi", "k8s.io/metrics", "k8s.io/kube-aggregator", "k8s.io/code-generator", "k8s.io/kubernetes",
	"sigs.k8s.io/controller-runtime", "sigs.k8s.io/structured-merge-diff", "sigs.k8s.io/kustomize", "sigs.k8s.io/controller-tools",
	"golang.org/x", "google.golang.org",
}

// isHelper returns the cached result of IsHelper.
func (p *program) isHelper(pkg *types.Package) bool {
	helper, known := p.helpers[pkg]
	if !known {
		helper = IsHelper(ImportPath(pkg), importPaths(pkg))
		p.helpers[pkg] = helper
	}
	return helper
}

// importPaths returns the import paths of a package's imports.
func importPaths(pkg *types.Package) []string {
	paths := make([]string, len(pkg.Imports()))
	for i, imported := range pkg.Imports() {
		paths[i] = ImportPath(imported)
	}
	return paths
}
