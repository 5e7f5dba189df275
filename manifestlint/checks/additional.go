package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"k8s.io/apimachinery/pkg/util/version"
)

// Additional reports, as removedapi and deprecatedapi, objects of the API
// versions in a list that the user keeps.
func Additional(list *additional.Versions) manifestlint.Check {
	return manifestlint.Check{
		Rule: "removedapi",
		Also: []string{"deprecatedapi"},
		Run: func(p *manifestlint.Pass) {
			entry := list.Find(p.Object.APIVersion, p.Object.Kind)
			if entry == nil || p.Object.Known || p.Object.Reading != manifestlint.Written {
				return
			}
			removed, deprecated := lifecycle.Minors(0), lifecycle.Minors(0)
			gone, old := false, false
			if entry.Component == additional.Kubernetes {
				for m := lifecycle.Minor(p.Target.From); m <= p.Target.To; m++ {
					switch at := version.MajorMinor(1, uint(m)); {
					case reached(at, entry.Removed):
						removed, gone = removed.With(m), true
					case reached(at, entry.Deprecated):
						deprecated, old = deprecated.With(m), true
					}
				}
			} else if at := list.Targets[entry.Component]; at != nil {
				gone = reached(at, entry.Removed)
				old = !gone && reached(at, entry.Deprecated)
			}
			if gone {
				p.ReportRule("removedapi", rules.Error, p.Object.APIVersionAt, additionalFinding(p.Object, entry, "was removed in", entry.Removed, removed))
			}
			if old {
				p.ReportRule("deprecatedapi", rules.Warning, p.Object.APIVersionAt, additionalFinding(p.Object, entry, "is deprecated since", entry.Deprecated, deprecated))
			}
		},
	}
}

func reached(at, since *version.Version) bool { return since != nil && at.AtLeast(since) }

func additionalFinding(o *manifestlint.Object, e *additional.Version, what string, since *version.Version, held lifecycle.Minors) rules.Finding {
	component := ""
	if e.Component != additional.Kubernetes {
		component = " of " + e.Component
	}
	f := rules.Finding{Message: fmt.Sprintf("%s %s %s %s%s", o.APIVersion, o.Kind, what, since, component)}
	if held != 0 {
		f.Minors = held.String()
	}
	if e.Replacement != "" {
		f.Replacement = e.Replacement + " " + o.Kind
		f.Message += "; use " + f.Replacement
	}
	return f
}
