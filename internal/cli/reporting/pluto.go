package reporting

import (
	"github.com/kubevet/kubevet/rules"
)

// Exit statuses of pluto (github.com/FairwindsOps/pluto, pkg/api/output.go,
// GetReturnCode, 5.24.0). The highest of a run counts.
const (
	PlutoError       = 1
	plutoDeprecated  = 2
	plutoRemoved     = 3
	plutoUnavailable = 4
)

// plutoCode returns the exit status that pluto has for a finding; 0 for one that
// pluto does not have.
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
