package apicall

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestLibraries(t *testing.T) {
	analysistest.Run(t, analysistest.TestData()+"/libraries", printer, "./program")
}
