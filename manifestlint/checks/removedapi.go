package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// removedAPI reports objects of a version that the target no longer serves, and
// references to objects in such a version.
func removedAPI() manifestlint.Check {
	return manifestlint.Check{
		Rule: "removedapi",
		Run: func(p *manifestlint.Pass) {
			if p.Object.Reading == manifestlint.Written { // otherwise kubevet chose the version
				removedVersion(p)
			}
			checkReferences(p)
		},
		Metadata: true,
		Fix:      fixVersion,
	}
}

// removedVersion reports the object's own version if the target no longer
// serves it.
func removedVersion(p *manifestlint.Pass) {
	api := p.Object.API
	minors := api.RemovedMinors(p.Target)
	if minors == 0 {
		return
	}
	newest := minors.Newest()
	f := rules.Finding{
		Message:     fmt.Sprintf("%s %s", api, removal(api)),
		Minors:      minors.String(),
		Replacement: replacement(api, newest, p.Target),
		Server:      notFound(api, newest, p.Target),
	}
	if f.Replacement != "" {
		f.Message += "; use " + f.Replacement
	}
	p.Report(p.Object.APIVersionAt, f)
}

// removal returns a text such as "was removed in 1.22", for the release in
// which the API's lifecycle plans the removal. If an earlier release already
// lacks the API, as with some alpha versions, the text names that release.
func removal(api lifecycle.API) string {
	since := api.Servable().Newest() + 1
	if planned := api.LifecycleAt(lifecycle.Newest).Removed; planned != 0 {
		since = min(since, planned)
	}
	return fmt.Sprintf("was removed in %s", since)
}

// notFound returns the server's error for an API that it does not serve, or
// nil.
func notFound(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) *rules.ServerText {
	if text := lifecycle.NotFoundText(api, m, t); text != "" {
		return &rules.ServerText{Kind: "error", Text: text}
	}
	return nil
}
