package analyzers_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestCensusReviews(t *testing.T) {
	for _, r := range analysistest.Run(t, analysistest.TestData(), analyzers.Census, "./census") {
		if got := r.Result.(*analyzers.Count).Calls; got != 2 {
			t.Errorf("%d writes are counted, want 2: reviews are questions, and fakes write nothing", got)
		}
	}
}
