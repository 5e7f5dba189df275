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
		Run: func(p *manifestlint.Pass) {
			if p.Object.Reading == manifestlint.Written { // else whoever read it chose the version
				removedVersion(p)
			}
			references(p)
		},
		Metadata: true,
		Fix:      fixVersion,
	}
}

// removedVersion reports an object of a version that the target no longer
// serves.
func removedVersion(p *manifestlint.Pass) {
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
