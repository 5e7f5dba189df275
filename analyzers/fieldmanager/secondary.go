package fieldmanager

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// secondary reports whether the package is for tests or an example: its name in
// managedFields matters to nobody. A package that has a few helpers for tests among
// its files is not.
func secondary(pass *analysis.Pass) bool {
	for element := range strings.SplitSeq(pass.Pkg.Path(), "/") {
		switch element {
		case "test", "tests", "testing", "testutil", "testutils", "e2e", "hack", "docs", "examples", "samples":
			return true
		}
	}
	files, helpers := 0, 0
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			continue // a package is not for its own tests
		}
		files++
		if helper(f) {
			helpers++
		}
	}
	return helpers > 0 && 2*helpers >= files
}

// helper reports whether a file helps tests.
func helper(f *ast.File) bool { return slices.ContainsFunc(f.Imports, testLibrary) }

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
