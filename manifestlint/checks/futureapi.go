package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
)

// futureAPI reports objects of a version that the target does not serve yet.
func futureAPI() manifestlint.Check {
	return manifestlint.Check{Rule: "futureapi", Run: func(p *manifestlint.Pass) {
		if p.Object.Reading != manifestlint.Written {
			return // kubevet chose the version when it read the object
		}
		api := p.Object.API
		minors := api.NotYetMinors(p.Target)
		if minors == 0 {
			return
		}
		p.Report(p.Object.APIVersionAt, rules.Finding{
			Message: fmt.Sprintf("%s does not exist before %s", api, api.Servable().Oldest()),
			Minors:  minors.String(),
			Server:  notFound(api, minors.Newest(), p.Target),
		})
	}}
}
