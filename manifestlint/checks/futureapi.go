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
			return // whoever read it chose the version
		}
		api := p.Object.API
		held := api.NotYetMinors(p.Target)
		if held == 0 {
			return
		}
		p.Report(p.Object.APIVersionAt, rules.Finding{
			Message: fmt.Sprintf("%s does not exist before %s", api, api.Servable().Oldest()),
			Minors:  held.String(),
			Server:  notFound(api, held.Newest(), p.Target),
		})
	}}
}
