// Package analyzertest runs analyzers over the packages below analyzers/testdata. They
// are one Go module whose requirements are stubs of the real client libraries: the same
// import paths and signatures, without real bodies.
package analyzertest

import (
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Dir is the directory of that module.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata")
}

// Run analyses packages such as "./optionsdropped/..." and compares the findings with
// their want comments.
func Run(t *testing.T, a *analysis.Analyzer, patterns ...string) []*analysistest.Result {
	t.Helper()
	return analysistest.Run(t, Dir(), a, patterns...)
}

// RunFixes does the same, and compares each file with all suggested fixes applied with
// the golden file beside it.
func RunFixes(t *testing.T, a *analysis.Analyzer, patterns ...string) []*analysistest.Result {
	t.Helper()
	return analysistest.RunWithSuggestedFixes(t, Dir(), a, patterns...)
}
