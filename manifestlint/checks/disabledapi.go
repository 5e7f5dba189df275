package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// disabledAPI reports objects of a version that the target serves only if its
// administrator says so.
func disabledAPI() manifestlint.Check {
	return manifestlint.Check{Rule: "disabledapi", Head: func(p *manifestlint.Pass) {
		api := p.Object.API
		held := api.DisabledMinors(p.Target)
		if held == 0 {
			return
		}
		newest := held.Newest()
		enable := fmt.Sprintf("--runtime-config=%s=true", api.GroupVersion())
		if gate := api.DisabledBy(newest, p.Target); gate != "" {
			enable = fmt.Sprintf("--feature-gates=%s=true", gate)
		}
		p.Report(p.Object.APIVersionAt, rules.Finding{
			Message:     fmt.Sprintf("%s is not served in %s unless the API server runs with %s", api, held, enable),
			Minors:      held.String(),
			Replacement: replacement(api, newest, p.Target),
			Server:      notFound(api, newest, p.Target),
		})
	}}
}
