// Package analyzertest runs analyzers over the packages below analyzers/testdata. These
// packages are one Go module. Instead of the real client libraries, the module requires
// stubs: packages with the same import paths and signatures, but without real bodies.
package analyzertest

import (
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Dir returns the directory of the module analyzers/testdata.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata")
}

// Run analyzes packages such as "./optionsdropped/..." and compares the findings with the
// want comments in these packages.
func Run(t *testing.T, a *analysis.Analyzer, patterns ...string) []*analysistest.Result {
	t.Helper()
	return analysistest.Run(t, Dir(), a, patterns...)
}

// RunFixes runs an analyzer as Run does. In addition, it applies all suggested
// fixes to each file and compares the result with the golden file in the same
// directory.
func RunFixes(t *testing.T, a *analysis.Analyzer, patterns ...string) []*analysistest.Result {
	t.Helper()
	return analysistest.RunWithSuggestedFixes(t, Dir(), a, patterns...)
}
