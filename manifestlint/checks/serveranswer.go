package checks

import (
	"cmp"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// serverAnswer reports how the target's servers answer an object of a built-in
// kind. One check reports all errors and warnings, so that they keep the
// server's order. errorRule and warningRule choose the rule.
func serverAnswer(set *Set) manifestlint.Check {
	return manifestlint.Check{
		Rule:    ruleUnknownField,
		Also:    []string{rulePreStopSleep, ruleAdmissionPolicy, ruleInvalidField, ruleDeprecatedField, ruleAPIWarning, rulePodSecurity, ruleCRDVersions, ruleWebhooks},
		Context: ContextKinds(),
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known {
				return
			}
			for _, m := range builtInMessages(p, set) {
				m.report(p)
			}
		},
		Fix: fixReplacedField,
	}
}

// builtInMessages returns the messages of the target's servers about an object
// of a built-in kind.
func builtInMessages(p *manifestlint.Pass, set *Set) []serverMessage {
	surroundings := set.surroundings(p.Object)
	messages := mergeAnswers(p.Target, func(s apiserver.Server) apiserver.Answer {
		if !p.Object.API.Servable().Has(s.Minor) {
			return apiserver.Answer{}
		}
		surroundings.Admission = set.admissionOf(p.Target, s.Minor)
		a := answerFor(p, func(r apiserver.Request) apiserver.Answer { return answer.To(s, r, surroundings) })
		p.Undecided(a.Unknown...)
		return a
	})
	return withoutIncomplete(p.Object, withoutPlaceholders(messages))
}

// serverOf returns the target's server of one minor.
func serverOf(t lifecycle.Target, m lifecycle.Minor) apiserver.Server {
	return apiserver.Server{Minor: m, Gate: func(name string) bool { return t.GateEnabled(name, m) }}
}

// surroundings returns the labels of the object's namespace, if the set has
// them.
func (s *Set) surroundings(o *manifestlint.Object) answer.Surroundings {
	if s == nil || !o.API.Namespaced() {
		return answer.Surroundings{}
	}
	labels, _ := s.NamespaceLabels(cmp.Or(o.Namespace, "default"))
	return answer.Surroundings{NamespaceLabels: labels}
}

// serverMessage is an error or warning, and the minors whose servers send it.
type serverMessage struct {
	apiserver.Warning                  // field, text and position of the warning or error
	cause             *apiserver.Cause // nil for a warning
	minors            lifecycle.Minors
	furtherErrors     []string // other errors about the same mistake, each with its field
}

// messageKey identifies one message in the answers of several servers.
type messageKey struct {
	refused bool
	class   apiserver.Class
	field   string
	at      wire.Pos // position of the value, if it cannot be decoded
	index   int      // number of earlier messages about the field
}

// undecodedAt returns the position of the value that cannot be decoded; zero
// for other errors. The position identifies the error, because such an error
// names no field.
func undecodedAt(c *apiserver.Cause) wire.Pos {
	if c.At == nil || len(c.Fits) == 0 {
		return wire.Pos{}
	}
	return c.At.Pos
}

// mergeAnswers calls ask for all minors of a target, the newest first. It
// merges the servers' messages about one field into one message with the newest
// server's text. The messages are in the newest server's order, followed by
// those that only older servers send.
func mergeAnswers(t lifecycle.Target, ask func(apiserver.Server) apiserver.Answer) []serverMessage {
	var all messageList
	for m := t.To; m >= t.From && m > 0; m-- {
		all.add(m, ask(serverOf(t, m)))
	}
	return all.messages
}

type messageList struct {
	messages []serverMessage
	index    map[messageKey]int
}

// add adds the answer of a server. Newer servers must be added first.
func (l *messageList) add(minor lifecycle.Minor, a apiserver.Answer) {
	if len(a.Causes)+len(a.Warnings) == 0 {
		return
	}
	count := map[messageKey]int{}
	one := func(key messageKey, m serverMessage) {
		n := count[key]
		count[key] = n + 1
		key.index = n
		i, ok := l.index[key]
		if !ok {
			if l.index == nil {
				l.index = map[messageKey]int{}
			}
			i = len(l.messages)
			l.index[key] = i
			l.messages = append(l.messages, m)
		}
		l.messages[i].minors = l.messages[i].minors.With(minor)
		l.messages[i].Hidden = l.messages[i].Hidden && m.Hidden
	}
	for _, w := range a.Warnings {
		if w.Class != apiserver.DeprecatedAPI { // deprecatedAPI reports this class, also for objects that are not parsed
			one(messageKey{class: w.Class, field: w.Field}, serverMessage{Warning: w})
		}
	}
	for i := range a.Causes {
		c := &a.Causes[i]
		one(messageKey{refused: true, field: c.Field, at: undecodedAt(c)}, serverMessage{Warning: apiserver.Warning{Field: c.Field, Text: c.Text, At: c.At, Hidden: c.Hidden, MutatedBy: c.MutatedBy}, cause: c})
	}
}

// report reports a message as a finding of the message's rule.
func (m *serverMessage) report(p *manifestlint.Pass) {
	switch {
	case m.cause != nil:
		f := m.finding()
		if from := firstAccepting(p.Object, p.Target, m); from != 0 {
			f.Message += ": servers accept it from " + from.String() + " on"
		}
		p.ReportRule(errorRule(p.Object, m.cause), rules.Error, causeSpan(p.Object.Root, *m.cause), f)
	case m.Class == apiserver.UnknownField:
		reportUnknownField(p, m)
	default:
		p.ReportRule(warningRule(m.Class), rules.Warning, m.span(p.Object.Root), m.finding())
	}
}

// errorRule returns the rule for an error of a server.
func errorRule(o *manifestlint.Object, c *apiserver.Cause) string {
	switch {
	case c.Policy != nil:
		return ruleAdmissionPolicy
	case isUnknownField(c):
		return ruleUnknownField
	case isHookError(c):
		return rulePreStopSleep
	case isPodSecurityError(c):
		return rulePodSecurity
	case isSideEffectsError(o, c):
		return ruleWebhooks
	case isVersionsError(o, c):
		return ruleCRDVersions
	}
	return ruleInvalidField
}

func warningRule(c apiserver.Class) string {
	switch c {
	case apiserver.Policy:
		return ruleAdmissionPolicy
	case apiserver.DeprecatedField:
		return ruleDeprecatedField
	case apiserver.PodSecurity:
		return rulePodSecurity
	}
	return ruleAPIWarning
}

// finding returns the finding for a message, without a position.
func (m *serverMessage) finding() rules.Finding {
	kind := "warning"
	if m.cause != nil {
		kind = "error"
	}
	f := rules.Finding{
		Message: m.Text,
		Path:    m.Field,
		Minors:  m.minors.String(),
		Server:  &rules.ServerText{Kind: kind, Text: m.Text, Also: m.furtherErrors},
		Hidden:  m.Hidden,
	}
	if m.MutatedBy != "" {
		f.Notes = append(f.Notes, "The server says this of the object as "+m.MutatedBy+" changes it.")
	}
	return f
}

// span returns the position of a warning: its value, or else the field that the
// server names.
func (m *serverMessage) span(root *wire.Value) manifestlint.Span {
	if m.At != nil && m.At.Kind != wire.Map && m.At.Kind != wire.List && m.At.Kind != wire.Null {
		return manifestlint.SpanOf(m.At)
	}
	if at := manifestlint.Locate(root, m.Field); at.Pos.Line > 0 {
		return at
	}
	if m.Class == apiserver.Policy && m.At == root {
		return manifestlint.Span{} // use the object's kind, as for an error of a policy
	}
	return manifestlint.SpanOf(m.At)
}

// causeSpan returns the position of an error: the value's field "seconds", or
// else the field that the server names, or its nearest parent that exists.
func causeSpan(root *wire.Value, c apiserver.Cause) manifestlint.Span {
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
