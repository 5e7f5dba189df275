package apicall

import (
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// counting prints calls, and returns the number of calls that are not understood.
var counting = &analysis.Analyzer{
	Name:       "counting",
	Doc:        "print and count calls",
	Requires:   []*analysis.Analyzer{Analyzer},
	ResultType: reflect.TypeFor[int](),
	Run: func(pass *analysis.Pass) (any, error) {
		_, err := printer.Run(pass)
		return len(pass.ResultOf[Analyzer].(*Result).Unresolved), err
	},
}

func TestGeneratedCallers(t *testing.T) {
	analysistest.Run(t, filepath.Join(analysistest.TestData(), "libraries"), counting, "./made")
}

func TestLibraries(t *testing.T) {
	for _, r := range analysistest.Run(t, filepath.Join(analysistest.TestData(), "libraries"), counting, "./program") {
		// The two calls are Store.Update, which has no implementation, and stepper.Step, which has
		// two.
		if r.Result != 2 {
			t.Errorf("%v calls are not understood, want 2", r.Result)
		}
	}
}
