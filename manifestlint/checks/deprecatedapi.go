package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// deprecatedAPI reports objects of a version that the target serves and has
// deprecated. The message is the server's warning.
func deprecatedAPI() manifestlint.Check {
	return manifestlint.Check{Rule: "deprecatedapi", Fix: fixVersion, Run: func(p *manifestlint.Pass) {
		if p.Object.Reading != manifestlint.Written {
			return // kubevet chose the version when it read the object
		}
		api := p.Object.API
		if !p.Object.Known {
			return
		}
		var minors lifecycle.Minors
		for m := p.Target.From; m <= p.Target.To && m > 0; m++ {
			if api.IsDeprecated(m) && api.State(m, p.Target) == lifecycle.Served {
				minors = minors.With(m)
			}
		}
		if minors == 0 {
			return
		}
		newest := minors.Newest()
		f := rules.Finding{Minors: minors.String(), Replacement: replacement(api, newest, p.Target)}
		if f.Message = api.Warning(newest); f.Message != "" {
			f.Server = &rules.ServerText{Kind: "warning", Text: f.Message}
		} else {
			f.Message = deprecation(api, newest)
		}
		p.Report(p.Object.APIVersionAt, f)
	}}
}

// deprecation returns the deprecation warning in the words of servers since
// 1.19. Older servers send no warnings.
func deprecation(api lifecycle.API, m lifecycle.Minor) string {
	at := api.LifecycleAt(m)
	text := fmt.Sprintf("%s is deprecated in v%s+", api, at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(", unavailable in v%s+", at.Removed)
	}
	if !at.Replacement.IsZero() {
		text += fmt.Sprintf("; use %s", at.Replacement)
	}
	return text
}

// replacement returns the API that replaces another API at a minor; "" for
// none.
func replacement(api lifecycle.API, m lifecycle.Minor, t lifecycle.Target) string {
	if r, ok := api.ReplacementAt(m, t); ok {
		return r.String()
	}
	if r, ok := api.Successor(); ok {
		return r.String()
	}
	return ""
}
