package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// removedAPI reports objects of a version that the target no longer serves,
// and references to such versions.
func removedAPI() manifestlint.Check {
	return manifestlint.Check{
		Rule: "removedapi",
		Head: func(p *manifestlint.Pass) {
			api := p.Object.API
			held := api.RemovedMinors(p.Target)
			if held == 0 {
				return
			}
			newest := held.Newest()
			f := rules.Finding{
				Message:     fmt.Sprintf("%s %s", api, removal(api)),
				Minors:      held.String(),
				Replacement: replacement(api, newest, p.Target),
				Server:      notFound(api, newest, p.Target),
			}
			if f.Replacement != "" {
				f.Message += "; use " + f.Replacement
			}
			p.Report(p.Object.APIVersionAt, f)
		},
		Body:     references,
		Fix:      convert,
		Metadata: true,
		Triggers: referenceTriggers,
	}
}

// removal says when an API was removed: in the release that its own history
// names, unless it vanished before, as alpha versions do.
func removal(api lifecycle.API) string {
	since := api.Servable().Newest() + 1
	if planned := api.LifecycleAt(lifecycle.Newest).Removed; planned != 0 {
		since = min(since, planned)
	}
	return fmt.Sprintf("was removed in %s", since)
}

// notFound gives the server's answer to a request for an API that it does not
// serve.
func notFound(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) *rules.ServerText {
	if text := lifecycle.NotFoundText(api, m, t); text != "" {
		return &rules.ServerText{Kind: "error", Text: text}
	}
	return nil
}
