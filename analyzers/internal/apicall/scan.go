package apicall

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// dependency reports whether a package belongs to a module other than the checked one.
// Rules report nothing about such a package.
func dependency(pass *analysis.Pass) bool {
	// The go command gives a version only to modules of the module cache.
	return pass.Module != nil && pass.Module.Version != ""
}

// allGenerated reports whether all files of a package are generated, as in a clientset.
func allGenerated(pass *analysis.Pass) bool {
	for _, file := range pass.Files {
		if !ast.IsGenerated(file) {
			return false
		}
	}
	return len(pass.Files) > 0
}

// callsClients reports whether a generated package may write through clients or
// libraries, as knative's reconcilers and wrangler's controllers do. Other generated
// packages are not searched, because they are clients themselves or only read.
func callsClients(pass *analysis.Pass) bool {
	path, imports := ImportPath(pass.Pkg), importPaths(pass.Pkg)
	if strings.Contains(path, "/clientset/") || isTypes(path) && !slices.Contains(imports, clientPath) {
		return false
	}
	return slices.ContainsFunc(pass.Pkg.Imports(), func(imported *types.Package) bool {
		if pass.ImportPackageFact(imported, new(libraryFact)) {
			return true
		}
		path := ImportPath(imported)
		return path == clientPath || path == "k8s.io/client-go/kubernetes" || strings.Contains(path, "/clientset/") && !strings.HasSuffix(path, "/scheme")
	})
}

// relevant reports whether the imports of a package show that it can use clients. It
// imports a client library, API types, or a relevant package of its module.
func relevant(pass *analysis.Pass) bool {
	for _, imported := range pass.Pkg.Imports() {
		path := ImportPath(imported)
		if IsClient(path) || strings.HasPrefix(path, apiPath) || sameModule(pass, imported) {
			return true
		}
	}
	return false
}

// IsClient reports whether a package belongs to the client libraries, or to the libraries
// of API servers and admission plugins.
func IsClient(path string) bool {
	for _, prefix := range []string{
		"k8s.io/client-go/", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/api/admission/", "k8s.io/apiserver/",
		"k8s.io/cli-runtime/", "k8s.io/kubectl/", "sigs.k8s.io/controller-runtime", fluxSSAPath, "k8s.io/metrics/",
		"k8s.io/apiextensions-apiserver/", "k8s.io/kube-aggregator/",
	} {
		if path == strings.TrimSuffix(prefix, "/") || strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.Contains(path, "/clientset/")
}

// scanned has the counts that decide whether the SSA form of the package is needed.
type scanned struct {
	writes        int
	constructions int
	// needsFacts is set if a function of the package returns options or a client.
	// Packages that import this one then need facts about it.
	needsFacts bool
}

// scan counts the names of functions whose calls require the SSA form. It visits every
// name in the package once.
func (p *program) scan() scanned {
	var found scanned
	for _, object := range p.pass.TypesInfo.Uses {
		switch object := object.(type) {
		case *types.Func:
			p.count(&found, object)
		case *types.Var:
			p.count(&found, p.aliasTarget(object))
		}
	}
	for _, object := range p.pass.TypesInfo.Defs {
		if fn, ok := object.(*types.Func); ok && fn != nil && needsFacts(fn) {
			found.needsFacts = true
		}
	}
	return found
}

// count adds one use of a function to found.
func (p *program) count(found *scanned, fn *types.Func) {
	if p.shapes.of(fn) != nil || p.writerOf(fn) != nil || p.maybeWriter(fn) {
		found.writes++
	} else if p.constructors.of(fn) != nil {
		found.constructions++
	} else if p.makesWriter(fn) {
		found.writes++ // code may call its methods through an interface of the package
	}
}
