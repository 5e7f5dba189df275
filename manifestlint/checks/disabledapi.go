package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// disabledAPI reports objects of a version that the target's servers serve only
// if an administrator has enabled it.
func disabledAPI() manifestlint.Check {
	return manifestlint.Check{Rule: "disabledapi", Fix: fixVersion, Run: func(p *manifestlint.Pass) {
		if p.Object.Reading != manifestlint.Written {
			return // kubevet chose the version when it read the object
		}
		api := p.Object.API
		minors := api.DisabledMinors(p.Target)
		if minors == 0 {
			return
		}
		newest := minors.Newest()
		p.Report(p.Object.APIVersionAt, rules.Finding{
			Message:     fmt.Sprintf("%s is not served in %s unless the API server runs with %s", api, minors, enabling(api, newest, p.Target)),
			Minors:      minors.String(),
			Replacement: replacement(api, newest, p.Target),
			Server:      notFound(api, newest, p.Target),
		})
	}}
}

// enabling returns the server flags that enable an API.
func enabling(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) string {
	if gate := api.DisabledBy(m, t); gate != "" {
		return fmt.Sprintf("--feature-gates=%s=true", gate)
	}
	flag := fmt.Sprintf("--runtime-config=%s=true", api.GroupVersion())
	// Check whether the API also needs a feature gate.
	enabledTarget, err := lifecycle.NewTarget(m.String(), nil, []string{api.GroupVersion() + "=true"})
	if err != nil {
		return flag
	}
	if gate := api.DisabledBy(m, enabledTarget); gate != "" && api.State(m, enabledTarget) == lifecycle.Disabled && !t.GateEnabled(gate, m) {
		return fmt.Sprintf("%s --feature-gates=%s=true", flag, gate)
	}
	return flag
}
