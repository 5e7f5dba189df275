package checks

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// customResource reports how the target's servers answer a custom resource
// whose definition is in the set. The errors and warnings keep the servers'
// order.
func customResource(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    "deprecatedapi",
		Also:    []string{"removedapi", ruleUnknownField, ruleInvalidField, ruleAPIWarning, ruleAdmissionPolicy},
		Context: ContextKinds(),
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known && set.Describes(p.Object) {
				reportCustom(p, set)
			}
		},
	}
}

// reportCustom reports the answers of the target's servers to a custom
// resource.
func reportCustom(p *manifestlint.Pass, set *Set) {
	o := p.Object
	var deprecated, missing lifecycle.Minors
	warning, notFound := "", ""
	messages := mergeAnswers(p.Target, func(s apiserver.Server) apiserver.Answer {
		a := answerFor(p, func(r apiserver.Request) apiserver.Answer {
			a := set.customAnswer(p.Target, s, r)
			a.Warnings = apiserver.Headers(a.Warnings)
			return a
		})
		p.Undecided(a.Unknown...)
		if len(a.Causes) > 0 && a.Causes[0].Code == http.StatusNotFound {
			notFound, missing = a.Causes[0].Text, missing.With(s.Minor)
			return apiserver.Answer{}
		}
		if len(a.Warnings) > 0 && a.Warnings[0].Class == apiserver.DeprecatedAPI {
			if warning == "" {
				warning = a.Warnings[0].Text
			}
			deprecated = deprecated.With(s.Minor)
		}
		return a
	})
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	d := set.Definition(group, o.Kind)
	if missing != 0 {
		reportNotServed(p, d, notFound, missing)
		return
	}
	if deprecated != 0 {
		f := rules.Finding{Message: warning, Minors: deprecated.String(), Server: &rules.ServerText{Kind: "warning", Text: warning}}
		if better := d.Better(version); better != "" {
			f.Replacement = group + "/" + better + " " + o.Kind
		}
		p.ReportRule("deprecatedapi", rules.Warning, o.APIVersionAt, f)
	}
	defaulter := set.defaulter(group)
	for _, m := range withoutPlaceholders(foldEchoes(messages)) {
		if defaulter == "" || !isMissingField(m) {
			m.report(p)
			continue
		}
		f := m.finding()
		f.Notes = append(f.Notes, fmt.Sprintf("The webhook %q changes objects of this group before the server checks them. It may set the field.", defaulter))
		p.ReportRule(errorRule(o, m.cause), rules.Warning, causeSpan(o.Root, *m.cause), f)
	}
}

// reportNotServed reports a version that the definition does not serve. text is
// the server's error message.
func reportNotServed(p *manifestlint.Pass, d *customresource.Definition, text string, minors lifecycle.Minors) {
	o := p.Object
	f := rules.Finding{
		Message: customresource.NoMatch(o.APIVersion, o.Kind) + ": its CustomResourceDefinition serves no version",
		Minors:  minors.String(),
		Server:  &rules.ServerText{Kind: "error", Text: text},
	}
	served := d.Served()
	_, version := customresource.SplitGroupVersion(o.APIVersion)
	switch {
	case len(served) == 0:
	case isNewer(d, version): // the cluster may have a newer definition
		f.Message = fmt.Sprintf("%s: its CustomResourceDefinition serves %s", customresource.NoMatch(o.APIVersion, o.Kind), strings.Join(served, ", "))
	default:
		f.Replacement = d.Group + "/" + served[0] + " " + o.Kind
		f.Message = fmt.Sprintf("%s: its CustomResourceDefinition serves %s; use %s",
			customresource.NoMatch(o.APIVersion, o.Kind), strings.Join(served, ", "), f.Replacement)
	}
	p.ReportRule("removedapi", rules.Error, o.APIVersionAt, f)
}

// isNewer reports whether a version is newer than all versions in a definition.
func isNewer(d *customresource.Definition, version string) bool {
	for i := range d.Versions {
		if customresource.CompareVersions(d.Versions[i].Name, version) >= 0 {
			return false
		}
	}
	return true
}
