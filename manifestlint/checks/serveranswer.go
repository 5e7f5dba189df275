package checks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// The rules that tell what a server answers.
const (
	ruleUnknownField    = "unknownfield"
	ruleDeprecatedField = "deprecatedfield"
	ruleAPIWarning      = "apiwarning"
	ruleInvalidField    = "invalidfield"
	rulePodSecurity     = "podsecurity"
	rulePreStopSleep    = "prestopsleep"
	ruleDuplicateKey    = "duplicatekey"
)

// serverAnswer reports what the servers of the target answer to an object of a
// built-in kind, in their order: errors, or warnings.
func serverAnswer(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    ruleUnknownField,
		Also:    []string{rulePreStopSleep, ruleInvalidField, ruleDeprecatedField, ruleAPIWarning, rulePodSecurity, ruleCRDVersions, ruleWebhooks},
		Context: ContextKinds(),
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known {
				return
			}
			around := set.surroundings(p.Object)
			for _, s := range answersOver(p, around) {
				s.report(p)
			}
		},
		Fix: replace,
	}
}

// sentence is one error or warning of an answer, and the minors whose servers
// give it.
type sentence struct {
	apiserver.Warning                  // of an error, its field, text and place
	cause             *apiserver.Cause // nil for a warning
	held              lifecycle.Minors
}

// answersOver asks the servers of every minor of a target and folds what they
// say of one field into one sentence, with the newest server's text. Sentences
// are in the newest server's order; those that it no longer makes
// come last.
func answersOver(p *manifestlint.Pass, around answer.Surroundings) []sentence {
	t, o := p.Target, p.Object
	r := apiserver.Request{
		APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Duplicates: o.Duplicates, Validation: p.Validation, Body: o.JSON,
	}
	var all fold
	for m := t.To; m >= t.From && m > 0; m-- {
		if !o.API.Servable().Has(m) {
			continue
		}
		server := apiserver.Server{Minor: m, Gate: func(name string) bool { return t.GateEnabled(name, m) }}
		a := asStored(o, r, answer.To(server, r, around), func(r apiserver.Request) apiserver.Answer { return answer.To(server, r, around) })
		all.add(m, a)
	}
	if (o.Unfinished || generated(o.Root)) && slices.ContainsFunc(all.sentences, missing) {
		return slices.DeleteFunc(all.sentences, func(s sentence) bool { return s.cause != nil && !s.cause.LifecycleHook })
	}
	return all.sentences
}

// generated reports whether an object has a field such as $apply or $patch,
// which is a word to a program that makes another object of it.
func generated(root *wire.Value) bool {
	return slices.ContainsFunc(root.Fields, func(f wire.Field) bool { return strings.HasPrefix(f.Name, "$") })
}

// missing reports whether a sentence is an error about what is not there.
func missing(s sentence) bool {
	return s.cause != nil && !s.cause.LifecycleHook && strings.HasPrefix(s.Text, "Required value")
}

// fold gathers the answers of several servers.
type fold struct {
	sentences []sentence
	index     map[place]int
}

// place tells apart what servers say of an object.
type place struct {
	refused bool
	class   apiserver.Class
	field   string
	nth     int // of what is said of that field
}

// add adds the answer of a server that is older than all before.
func (f *fold) add(m lifecycle.Minor, a apiserver.Answer) {
	if len(a.Causes)+len(a.Warnings) == 0 {
		return
	}
	nth := map[place]int{}
	one := func(at place, s sentence) {
		n := nth[at]
		nth[at] = n + 1
		at.nth = n
		i, ok := f.index[at]
		if !ok {
			if f.index == nil {
				f.index = map[place]int{}
			}
			i = len(f.sentences)
			f.index[at] = i
			f.sentences = append(f.sentences, s)
		}
		f.sentences[i].held = f.sentences[i].held.With(m)
	}
	for _, w := range a.Warnings {
		if w.Class != apiserver.DeprecatedAPI { // deprecatedapi reports it, also of objects that are not parsed
			one(place{class: w.Class, field: w.Field}, sentence{Warning: w})
		}
	}
	for i := range a.Causes {
		c := &a.Causes[i]
		one(place{refused: true, field: c.Field}, sentence{Warning: apiserver.Warning{Field: c.Field, Text: c.Text, At: c.At}, cause: c})
	}
}

// report reports a sentence under its rule.
func (s sentence) report(p *manifestlint.Pass) {
	f := rules.Finding{
		Message: s.Text,
		Path:    s.Field,
		Minors:  s.held.String(),
		Server:  &rules.ServerText{Kind: "warning", Text: s.Text},
	}
	if s.cause != nil {
		if s.placeholder() {
			return
		}
		f.Server.Kind = "error"
		rule := ruleInvalidField
		switch {
		case s.cause.Code == 400 && strings.Contains(s.Text, ": strict decoding error: "):
			rule = ruleUnknownField
		case s.cause.LifecycleHook || s.cause.Code == 400 && aboutHooks(s.Text):
			rule = rulePreStopSleep
		case s.cause.Code == 403, strings.HasPrefix(s.cause.Field, "metadata.labels["+podSecurityPrefix):
			rule = rulePodSecurity
		case aboutSideEffects(p.Object, s.cause):
			rule = ruleWebhooks
		case aboutVersions(p.Object, s.cause):
			rule = ruleCRDVersions
		}
		p.ReportRule(rule, rules.Error, blame(p.Object.Root, *s.cause), f)
		return
	}
	switch s.Class {
	case apiserver.UnknownField:
		if d := s.duplicate(p.Object); d != nil {
			p.Restate(ruleDuplicateKey, d.Pos, f.Server)
			return
		}
		if known := schema.Suggest(p.Object.APIVersion, p.Object.Kind, s.held.Newest(), s.Field); known != "" {
			f.Message += ": " + known
		}
		at := manifestlint.Locate(p.Object.Root, s.Field)
		if s.Key != nil {
			at = manifestlint.Span{Pos: s.Key.Pos, End: s.Key.End}
		}
		p.ReportRule(ruleUnknownField, rules.Error, at, f)
	case apiserver.DeprecatedField:
		p.ReportRule(ruleDeprecatedField, rules.Warning, s.span(p.Object.Root), f)
	case apiserver.PodSecurity:
		p.ReportRule(rulePodSecurity, rules.Warning, s.span(p.Object.Root), f)
	default:
		p.ReportRule(ruleAPIWarning, rules.Warning, s.span(p.Object.Root), f)
	}
}

// placeholder reports whether an error is about a value such as ${REPLICAS},
// which something else replaces before the object is sent: manifests for
// envsubst, Flux and the like are no YAML templates.
func (s *sentence) placeholder() bool {
	return strings.Contains(s.Text, "${") || s.At != nil && strings.Contains(s.At.Text, "${")
}

// duplicate gives the repeated key that a warning is about, or nil.
func (s sentence) duplicate(o *manifestlint.Object) *wire.Duplicate {
	if !strings.HasPrefix(s.Text, "duplicate field ") {
		return nil
	}
	for i := range o.Duplicates {
		if o.Duplicates[i].Path == s.Field {
			return &o.Duplicates[i]
		}
	}
	return nil
}

// span is the value to blame, else the field that the server names.
func (s sentence) span(root *wire.Value) manifestlint.Span {
	if s.At != nil && s.At.Kind != wire.Map && s.At.Kind != wire.List && s.At.Kind != wire.Null {
		return manifestlint.SpanOf(s.At)
	}
	if at := manifestlint.Locate(root, s.Field); at.Pos.Line > 0 {
		return at
	}
	return manifestlint.SpanOf(s.At)
}

// aboutHooks reports whether a decoding error names a field of a lifecycle
// handler or the grace period.
func aboutHooks(text string) bool {
	return strings.Contains(text, ".lifecycle.") || strings.Contains(text, ".terminationGracePeriodSeconds")
}

// surroundings is what the set knows of an object's.
func (s *Set) surroundings(o *manifestlint.Object) answer.Surroundings {
	if s == nil || !o.API.Namespaced() {
		return answer.Surroundings{}
	}
	labels, _ := s.NamespaceLabels(cmp.Or(o.Namespace, "default"))
	return answer.Surroundings{NamespaceLabels: labels}
}
