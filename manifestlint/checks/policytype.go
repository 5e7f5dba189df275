package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policydefinition"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const rulePolicyType = "policytype"

// policyType reports admission policies that do not work although the server
// accepts them: an expression uses a field that the matched kinds do not have,
// or a policy or binding can match no object. serverAnswer reports policies
// that the server refuses.
func policyType(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    rulePolicyType,
		Context: append(policyKinds(), definitionKind),
		Run: func(p *manifestlint.Pass) {
			if !strings.HasPrefix(p.Object.APIVersion, admissionGroup+"/") || hasTemplate(p.Object.Root.Get("spec"), 0) {
				return
			}
			minors := p.Object.API.ServedMinors(p.Target)
			if minors == 0 {
				return
			}
			c := policyCheck{p, set, minors, p.Object.Root.Get("spec")}
			switch p.Object.Kind {
			case validatingPolicy:
				c.checkTypes()
				c.checkPolicy()
			case mutatingPolicy:
				c.checkPolicy()
			case validatingBinding, mutatingBinding:
				c.checkBinding()
			}
		},
	}
}

// hasTemplate reports whether a string in a value contains a template for
// another program, such as {{ .Values.max }}. CEL expressions cannot contain
// "{{".
func hasTemplate(v *wire.Value, depth int) bool {
	switch {
	case v == nil || depth > 50:
		return false
	case v.Kind == wire.String:
		return strings.Contains(v.Text, "{{") || hasPlaceholder(v.Text)
	}
	for _, item := range v.Elements() {
		if hasTemplate(item, depth+1) {
			return true
		}
	}
	return slices.ContainsFunc(v.Entries(), func(f wire.Field) bool { return hasTemplate(f.Value, depth+1) })
}

// policyCheck checks one policy or one binding.
type policyCheck struct {
	*manifestlint.Pass
	set    *Set
	minors lifecycle.Minors // minors of the target whose servers serve the object's version
	spec   *wire.Value
}

// resources returns the resources of the target's server of minor m.
func (c *policyCheck) resources(m lifecycle.Minor) *policydefinition.Resources {
	return c.set.PolicyResources(c.Target, m)
}

// newestFirst yields the target's minors whose servers serve the object, the
// newest first.
func (c *policyCheck) newestFirst(yield func(lifecycle.Minor) bool) {
	for m := c.Target.To; m >= c.Target.From && m > 0; m-- {
		if c.minors.Has(m) && !yield(m) {
			return
		}
	}
}

func (c *policyCheck) report(s rules.Severity, at *wire.Value, path string, minors lifecycle.Minors, format string, args ...any) {
	c.ReportAs(s, manifestlint.SpanOf(at), rules.Finding{
		Message: fmt.Sprintf(format, args...), Path: path, Minors: minors.String(),
	})
}

// typeWarning is a warning of the type checker in one or more minors.
type typeWarning struct {
	policydefinition.Warning
	minors   lifecycle.Minors
	severity rules.Severity
}

// checkTypes reports the warnings that the target's servers write to the field
// status.typeChecking of the policy.
func (c *policyCheck) checkTypes() {
	var all []*typeWarning
	for m := range c.newestFirst {
		warnings := c.resources(m).TypeCheck(c.Object.Root)
		if len(warnings) > 0 && c.isRefused(m) {
			continue // the server does not store the policy, so there is no status
		}
		for _, w := range warnings {
			s := c.severityOf(&w)
			i := slices.IndexFunc(all, func(o *typeWarning) bool {
				return o.Field == w.Field && o.severity == s && sameKinds(o.Kinds, w.Kinds)
			})
			if i < 0 {
				all = append(all, &typeWarning{Warning: w, severity: s})
				i = len(all) - 1
			}
			all[i].minors = all[i].minors.With(m)
		}
	}
	for _, w := range all {
		c.ReportAs(w.severity, manifestlint.SpanOf(w.At), rules.Finding{
			Message: w.message(), Path: w.Field, Minors: w.minors.String(),
			Notes: []string{"The server writes to status.typeChecking: " + strings.TrimSpace(w.Text)},
		})
	}
}

// isRefused reports whether the target's server of minor m refuses the object.
func (c *policyCheck) isRefused(m lifecycle.Minor) bool {
	o := c.Object
	return len(validation.Causes(serverOf(c.Target, m), apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old})) > 0
}

// sameKinds reports whether two warnings have the same messages for the same
// kinds.
func sameKinds(a, b []policydefinition.KindWarning) bool {
	return slices.EqualFunc(a, b, func(a, b policydefinition.KindWarning) bool {
		return a.GroupVersionKind == b.GroupVersionKind && a.Works == b.Works && slices.Equal(a.Messages, b.Messages)
	})
}

// severityOf returns the severity of a warning. The severity is Info in two
// cases in which the expression may work although the type checker reports an
// error:
//
//   - For each kind, the type checker only lacks a field or type that exists
//     (see KindWarning.Works).
//   - The kinds have different errors, and the expression tests the kind or the
//     field before it uses the field.
func (c *policyCheck) severityOf(w *policydefinition.Warning) rules.Severity {
	failing := 0
	for i := range w.Kinds {
		if !w.Kinds[i].Works {
			failing++
		}
	}
	if failing == 0 {
		return rules.Info
	}
	if !inAllKinds(w) && c.isGuarded(w.At.StringOr("")) {
		return rules.Info
	}
	return rules.Warning
}

// inAllKinds reports whether an expression has the same error for all matched
// kinds.
func inAllKinds(w *policydefinition.Warning) bool {
	return len(w.Kinds) == w.Checked && slices.ContainsFunc(w.Kinds[0].Messages, func(message string) bool {
		return !slices.ContainsFunc(w.Kinds[1:], func(k policydefinition.KindWarning) bool { return !slices.Contains(k.Messages, message) })
	})
}

// isGuarded reports whether an expression, or a match condition of its policy,
// tests the object's kind or the presence of a field.
func (c *policyCheck) isGuarded(text string) bool {
	if policydefinition.Guarded(c.spec, text) {
		return true
	}
	return slices.ContainsFunc(c.spec.Get("matchConditions").Elements(), func(m *wire.Value) bool {
		return policydefinition.Guarded(c.spec, m.Get("expression").StringOr(""))
	})
}

// message returns the text of the finding.
func (w *typeWarning) message() string {
	works := true
	for i := range w.Kinds {
		works = works && w.Kinds[i].Works
	}
	reported := slices.DeleteFunc(slices.Clone(w.Kinds), func(k policydefinition.KindWarning) bool { return k.Works && !works })
	first := &reported[0]
	text := fmt.Sprintf("%s: %s", first.GroupVersionKind, strings.Join(slices.Compact(slices.Clone(first.Messages)), "; "))
	if more := len(reported) - 1; more == 1 {
		text += " (also for " + reported[1].Kind + ")"
	} else if more > 1 {
		text += fmt.Sprintf(" (also for %d other kinds)", more)
	}
	switch {
	case works:
		return text + ": the expression works, because only the type checker lacks this"
	case w.severity == rules.Info:
		return text + ": of the matched kinds, others have it"
	}
	return text
}

// firstAccepting returns the oldest later release that accepts an expression
// which the target refuses, such as one with a function of a newer CEL library;
// 0 for none.
func firstAccepting(o *manifestlint.Object, t lifecycle.Target, m *serverMessage) lifecycle.Minor {
	if m.cause == nil || !strings.HasPrefix(o.APIVersion, admissionGroup+"/") || !strings.Contains(m.Text, "compilation failed: ") {
		return 0
	}
	r := apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old}
	for minor := m.minors.Newest() + 1; minor <= lifecycle.Newest; minor++ {
		refused := slices.ContainsFunc(validation.Causes(serverOf(t, minor), r), func(c apiserver.Cause) bool {
			return c.Field == m.Field && strings.Contains(c.Text, "compilation failed: ")
		})
		if !refused {
			return minor
		}
	}
	return 0
}
