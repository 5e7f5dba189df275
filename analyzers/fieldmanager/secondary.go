package fieldmanager

import (
	"go/ast"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// secondary reports whether the package is there for tests or as an example:
// nobody looks up in managedFields who those are.
func secondary(pass *analysis.Pass) bool {
	for element := range strings.SplitSeq(pass.Pkg.Path(), "/") {
		switch element {
		case "test", "tests", "testing", "testutil", "testutils", "e2e", "hack", "docs", "examples", "samples":
			return true
		}
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			continue // a package is not there for its own tests
		}
		for _, spec := range f.Imports {
			if testLibrary(spec) {
				return true
			}
		}
	}
	return false
}

// testLibrary reports whether a package is imported by tests and what helps them.
func testLibrary(spec *ast.ImportSpec) bool {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return false
	}
	switch path {
	case "testing", "sigs.k8s.io/controller-runtime/pkg/envtest":
		return true
	}
	return strings.HasPrefix(path, "github.com/onsi/ginkgo") || strings.HasPrefix(path, "github.com/onsi/gomega") ||
		strings.HasPrefix(path, "github.com/stretchr/testify")
}
