package reporting

import (
	"github.com/kubevet/kubevet/rules"
)

// These are the exit statuses of pluto (github.com/FairwindsOps/pluto, pkg/api/output.go,
// GetReturnCode, 5.24.0). A run ends with the highest status of its findings.
const (
	PlutoError       = 1
	plutoDeprecated  = 2
	plutoRemoved     = 3
	plutoUnavailable = 4
)

// plutoCode returns pluto's exit status for a finding, or 0 if pluto does not report it.
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
