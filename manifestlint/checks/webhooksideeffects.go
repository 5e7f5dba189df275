package checks

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const ruleWebhooks = "webhooksideeffects"

// webhookSideEffects reports webhooks that do not support dry runs, if the
// version of their configuration allows such webhooks, as v1beta1 does. v1
// refuses them, which serverAnswer reports. The finding is at the
// configuration. Each object whose dry run calls the webhook also gets an info.
func webhookSideEffects(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    ruleWebhooks,
		Context: ContextKinds(),
		Run: func(p *manifestlint.Pass) {
			switch o := p.Object; {
			case webhook.IsConfiguration(o.APIVersion, o.Kind):
				sideEffects(p)
			case set.anyWebhooks():
				dryRunRefused(p, set)
			}
		},
	}
}

// isSideEffectsError reports whether an error is about the field sideEffects of
// a webhook.
func isSideEffectsError(o *manifestlint.Object, c *apiserver.Cause) bool {
	return webhook.IsConfiguration(o.APIVersion, o.Kind) && strings.HasPrefix(c.Field, "webhooks[") && strings.HasSuffix(c.Field, "].sideEffects")
}

// sideEffects reports the webhooks of a configuration that do not support dry
// runs.
func sideEffects(p *manifestlint.Pass) {
	o := p.Object
	minors := o.API.ServedMinors(p.Target)
	if minors == 0 {
		return
	}
	c := webhook.Read(o.APIVersion, o.Kind, o.Root)
	if c == nil || !c.Exists(apiserver.Server{Minor: minors.Newest()}, webhook.Read(o.APIVersion, o.Kind, o.Old)) {
		return // serverAnswer reports the error
	}
	for _, h := range c.Hooks {
		if !h.BlocksDryRun() {
			continue
		}
		problem := "says nothing of its side effects, which counts as Unknown"
		if !h.At.Get("sideEffects").IsNull() {
			problem = "has sideEffects " + h.SideEffects
		}
		path := h.Path + ".sideEffects"
		p.ReportAs(rules.Warning, manifestlint.Locate(o.Root, path), rules.Finding{
			Message: fmt.Sprintf("webhook %q %s: a dry-run that meets it is refused, whatever its failurePolicy", h.Name, problem),
			Path:    path,
			Minors:  minors.String(),
		})
	}
}

// dryRunRefused reports that a webhook of the set refuses a dry run of the
// object. The object itself needs no fix.
func dryRunRefused(p *manifestlint.Pass, set *Set) {
	var refusal *webhook.Refusal
	var minors lifecycle.Minors
	for m := p.Target.To; m >= p.Target.From && m > 0; m-- {
		if p.Object.Known && !p.Object.API.ServedMinors(p.Target).Has(m) {
			continue
		}
		r := set.DryRunRefusal(p.Target, m, p.Object)
		if r == nil || refusal != nil && r.Text != refusal.Text || set.refusedBefore(p.Target, m, p.Object, r.Mutating) {
			continue
		}
		refusal = r
		minors = minors.With(m)
	}
	if refusal == nil {
		return
	}
	p.ReportAs(rules.Info, manifestlint.Span{}, rules.Finding{
		Message: "dry-run: " + refusal.Text,
		Minors:  minors.String(),
		Server:  &rules.ServerText{Kind: "error", Text: refusal.Text},
	})
}

// refusedBefore reports whether the server refuses an object before it calls
// the mutating webhooks or, if mutating is false, the validating ones.
func (s *Set) refusedBefore(t lifecycle.Target, m lifecycle.Minor, o *manifestlint.Object, mutating bool) bool {
	server := serverOf(t, m)
	request := apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Duplicates: o.Duplicates}
	if mutating {
		return len(schema.Decode(server, request).Causes) > 0
	}
	surroundings := s.surroundings(o)
	surroundings.Admission = s.admissionOf(t, m)
	return !answer.Accepted(answer.To(server, request, surroundings))
}
