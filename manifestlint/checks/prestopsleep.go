package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/podspec"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// preStopSleep reports what the server would refuse in the lifecycle hooks of
// containers of custom resources that look like workloads, in its own words.
// Those of its own kinds are a matter of serverAnswer.
func preStopSleep() manifestlint.Check {
	return manifestlint.Check{
		Rule:  "prestopsleep",
		Words: func(lifecycle.Target) [][]string { return [][]string{hookFields[:]} },
		Run: func(p *manifestlint.Pass) {
			o := p.Object
			if !mayHavePods(o) || !hasHook(o.Root) {
				return // what else is wrong with the object is no matter of hooks
			}
			for _, spec := range podspec.Of(o.APIVersion, o.Kind, o.Root) {
				if spec.BuiltIn {
					continue
				}
				// The schema of a custom resource is not known: what looks
				// like a pod template need not become one.
				for _, c := range overRange(p.Target, func(s apiserver.Server) []apiserver.Cause {
					return validation.TemplateLifecycleHooks(s, spec.Path, spec.Value)
				}) {
					f := c.finding()
					f.Server = nil // no server says it, so the message names the field
					f.Message = c.Field + ": " + c.Text
					p.ReportAs(rules.Preview, blame(o.Root, c.Cause), f)
				}
			}
		},
	}
}

// mayHavePods reports whether an object is a workload, or of a kind that is
// not known and may be one.
func mayHavePods(o *manifestlint.Object) bool {
	if !o.Known {
		return true
	}
	_, ok := apiserver.PodSpecPath(o.APIVersion, o.Kind)
	return ok
}

// hookFields are the fields one of which every hook needs.
var hookFields = [...]string{"lifecycle", "preStop", "postStart"}

// hasHook reports whether there is a hook anywhere in a value.
func hasHook(v *wire.Value) bool {
	for i := range v.Fields {
		f := &v.Fields[i]
		for _, name := range hookFields {
			if f.Name == name {
				return true
			}
		}
		if hasHook(f.Value) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items, hasHook)
}

// blame gives the place of a cause: the number of seconds where one is
// written, else the field that the server names or the nearest that exists.
func blame(root *wire.Value, c apiserver.Cause) manifestlint.Span {
	if f := c.At.Field("seconds"); f != nil {
		return manifestlint.SpanOfField(f)
	}
	if c.At != nil && c.At.Kind != wire.Map && c.At.Kind != wire.List && c.At.Kind != wire.Null {
		return manifestlint.SpanOf(c.At)
	}
	if c.Field == "" && c.At != nil && c.At != root {
		return manifestlint.SpanOf(c.At)
	}
	return manifestlint.Locate(root, c.Field)
}

// cause is what a server answers, and the minors whose servers do.
type cause struct {
	apiserver.Cause
	held lifecycle.Minors
}

func (c cause) finding() rules.Finding {
	return rules.Finding{
		Message: c.Text,
		Path:    c.Field,
		Minors:  c.held.String(),
		Server:  &rules.ServerText{Kind: "error", Text: c.Text},
	}
}

// overRange asks the servers of every minor of a target and folds what they
// say of one field into one cause, with the newest server's text. Causes are
// in the newest server's order; those that it no longer has come last.
func overRange(t lifecycle.Target, ask func(apiserver.Server) []apiserver.Cause) []cause {
	type place struct {
		field string
		nth   int // of the causes for that field
	}
	var all []cause
	index := map[place]int{}
	for m := t.To; m >= t.From && m > 0; m-- {
		nth := map[string]int{}
		server := apiserver.Server{Minor: m, Gate: func(name string) bool { return t.GateEnabled(name, m) }}
		for _, c := range ask(server) {
			at := place{c.Field, nth[c.Field]}
			nth[c.Field]++
			i, ok := index[at]
			if !ok {
				i = len(all)
				index[at] = i
				all = append(all, cause{Cause: c})
			}
			all[i].held = all[i].held.With(m)
		}
	}
	return all
}
