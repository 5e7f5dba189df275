package checks

import (
	"fmt"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"k8s.io/apimachinery/pkg/util/version"
)

// Additional returns the check for the user's list of deprecated and removed
// API versions. It reports objects of these versions under the rules removedapi
// and deprecatedapi.
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
			isRemoved, isDeprecated := false, false
			if entry.Component == additional.Kubernetes {
				for m := lifecycle.Minor(p.Target.From); m <= p.Target.To; m++ {
					switch at := version.MajorMinor(1, uint(m)); {
					case isReached(at, entry.Removed):
						removed, isRemoved = removed.With(m), true
					case isReached(at, entry.Deprecated):
						deprecated, isDeprecated = deprecated.With(m), true
					}
				}
			} else if at := list.Targets[entry.Component]; at != nil {
				isRemoved = isReached(at, entry.Removed)
				isDeprecated = !isRemoved && isReached(at, entry.Deprecated)
			}
			if isRemoved {
				p.ReportRule("removedapi", rules.Error, p.Object.APIVersionAt, additionalFinding(p.Object, entry, "was removed in", entry.Removed, removed))
			}
			if isDeprecated {
				p.ReportRule("deprecatedapi", rules.Warning, p.Object.APIVersionAt, additionalFinding(p.Object, entry, "is deprecated since", entry.Deprecated, deprecated))
			}
		},
	}
}

// isReached reports whether the version at is equal to or newer than since. A
// nil since is never reached.
func isReached(at, since *version.Version) bool { return since != nil && at.AtLeast(since) }

// additionalFinding returns the finding for an object whose version is in the
// list. minors is zero if the version belongs to another component than
// Kubernetes.
func additionalFinding(o *manifestlint.Object, e *additional.Version, change string, since *version.Version, minors lifecycle.Minors) rules.Finding {
	component := ""
	if e.Component != additional.Kubernetes {
		component = " of " + e.Component
	}
	f := rules.Finding{Message: fmt.Sprintf("%s %s %s %s%s", o.APIVersion, o.Kind, change, since, component)}
	if minors != 0 {
		f.Minors = minors.String()
	}
	if e.Replacement != "" {
		f.Replacement = e.Replacement + " " + o.Kind
		f.Message += "; use " + f.Replacement
	}
	return f
}
