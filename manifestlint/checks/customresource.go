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

// customResource reports what the servers of the target answer to a custom
// resource whose definition is in the set, in their order.
func customResource(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    "deprecatedapi",
		Also:    []string{"removedapi", ruleUnknownField, ruleInvalidField, ruleAPIWarning},
		Context: []string{definitionKind},
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known && set.defines(p.Object) {
				customAnswers(p, set)
			}
		},
	}
}

func customAnswers(p *manifestlint.Pass, set *Set) {
	t, o := p.Target, p.Object
	ask := set.customAnswer
	r := apiserver.Request{
		APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Duplicates: o.Duplicates, Validation: p.Validation, Body: o.JSON,
	}
	var all fold
	var deprecated, missing lifecycle.Minors
	warning, absent := "", ""
	for m := t.To; m >= t.From && m > 0; m-- {
		server := apiserver.Server{Minor: m, Gate: func(name string) bool { return t.GateEnabled(name, m) }}
		a := asStored(o, r, ask(server, r), func(r apiserver.Request) apiserver.Answer { return ask(server, r) })
		if len(a.Causes) > 0 && a.Causes[0].Code == http.StatusNotFound {
			absent, missing = a.Causes[0].Text, missing.With(m)
			continue
		}
		a.Warnings = apiserver.Headers(a.Warnings)
		if len(a.Warnings) > 0 && a.Warnings[0].Class == apiserver.DeprecatedAPI {
			if warning == "" {
				warning = a.Warnings[0].Text
			}
			deprecated = deprecated.With(m)
		}
		all.add(m, a)
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	d := set.Definition(group, o.Kind)
	if missing != 0 {
		notServed(p, d, absent, missing)
		return
	}
	if deprecated != 0 {
		f := rules.Finding{Message: warning, Minors: deprecated.String(), Server: &rules.ServerText{Kind: "warning", Text: warning}}
		if better := d.Better(version); better != "" {
			f.Replacement = group + "/" + better + " " + o.Kind
		}
		p.ReportRule("deprecatedapi", rules.Warning, o.APIVersionAt, f)
	}
	for _, s := range all.sentences {
		s.report(p)
	}
}

// notServed reports a version that the definition does not serve.
func notServed(p *manifestlint.Pass, d *customresource.Definition, text string, held lifecycle.Minors) {
	o := p.Object
	f := rules.Finding{
		Message: customresource.NoMatch(o.APIVersion, o.Kind) + ": its CustomResourceDefinition serves no version",
		Minors:  held.String(),
		Server:  &rules.ServerText{Kind: "error", Text: text},
	}
	served := d.Served()
	_, version := customresource.SplitGroupVersion(o.APIVersion)
	switch {
	case len(served) == 0:
	case newer(d, version): // the definition may be older than the object
		f.Message = fmt.Sprintf("%s: its CustomResourceDefinition serves %s", customresource.NoMatch(o.APIVersion, o.Kind), strings.Join(served, ", "))
	default:
		f.Replacement = d.Group + "/" + served[0] + " " + o.Kind
		f.Message = fmt.Sprintf("%s: its CustomResourceDefinition serves %s; use %s",
			customresource.NoMatch(o.APIVersion, o.Kind), strings.Join(served, ", "), f.Replacement)
	}
	p.ReportRule("removedapi", rules.Error, o.APIVersionAt, f)
}

// newer reports whether a definition has only versions below one.
func newer(d *customresource.Definition, version string) bool {
	for i := range d.Versions {
		if customresource.CompareVersions(d.Versions[i].Name, version) >= 0 {
			return false
		}
	}
	return true
}
