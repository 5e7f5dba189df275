package reporting

import (
	"github.com/kubevet/kubevet/rules"
)

// These are the exit statuses of pluto (github.com/FairwindsOps/pluto, pkg/api/output.go,
// GetReturnCode, 5.24.0). If a run has several, it ends with the highest.
const (
	PlutoError       = 1
	plutoDeprecated  = 2
	plutoRemoved     = 3
	plutoUnavailable = 4
)

// plutoCode returns the exit status of pluto for a finding. It returns 0 for a finding
// that pluto does not report.
func plutoCode(f *rules.Finding) int {
	switch {
	case f.Rule != "removedapi" && f.Rule != "deprecatedapi":
		return 0
	case f.Replacement == "":
		return plutoUnavailable
	case f.Rule == "removedapi":
		return plutoRemoved
	}
	return plutoDeprecated
}
