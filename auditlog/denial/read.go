package denial

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/auditlog"
)

// These are the limits of a Request.
const (
	// maxDecisions is the largest number of subjects in a request. A server
	// writes at most 50 failures.
	maxDecisions = 64
	// maxExpressions is the largest number of expressions of a subject.
	maxExpressions = 32
	// maxFailures is the largest number of failures that are read from an
	// annotation.
	maxFailures = 4096
	// maxMutations is the largest number of webhooks in a request.
	maxMutations = 64

	maxName    = 253
	maxMessage = 512
)

// serverFailures is the largest number of failures that a server writes in an
// annotation (k8s.io/apiserver,
// pkg/admission/plugin/policy/validating/dispatcher.go, maxValidationFailures;
// v0.37).
const serverFailures = 50

// Read returns the decisions of admission control about the request of an
// event; nil if there are none. dryRun says whether the request is a dry run.
func Read(e *auditlog.Event, dryRun bool) *Request {
	refused := e.Code >= 400 && !e.Forbidden && mayDeny(e.Message)
	if !e.Decided && !refused {
		return nil
	}
	r := &Request{
		Object: Object{
			Group: clip(e.Ref.Group.String(), maxName), Version: clip(e.Ref.Version.String(), 63), Resource: clip(e.Ref.Resource.String(), maxName),
			Subresource: clip(e.Ref.Subresource.String(), maxName), Namespace: clip(e.Ref.Namespace.String(), maxName), Name: clip(e.Ref.Name.String(), maxName),
		},
		AuditID: clip(e.AuditID.String(), 64),
		DryRun:  dryRun,
	}
	if refused {
		r.answer(e)
	}
	if e.Decided {
		e.Annotations(func(key, value auditlog.Text) bool {
			if is := auditlog.AnnotationOf(key); is != auditlog.AnnotationOther {
				r.annotation(is, value.Bytes(nil), e.Code)
			}
			return true
		})
	}
	if r.Evaluation != (Evaluation{}) {
		r.Evaluation.Namespace = r.Object.Namespace
	}
	if len(r.Decisions) == 0 && r.Evaluation == (Evaluation{}) && len(r.Mutations) == 0 && r.unreadable+r.dropped == 0 {
		return nil
	}
	return r
}

// annotation reads the value of an annotation.
func (r *Request) annotation(is auditlog.Annotation, value []byte, code int) {
	switch is {
	case auditlog.AnnotationFailures:
		r.failures(value, code)
	case auditlog.AnnotationViolations:
		level, text, ok := violation(string(value), "would violate PodSecurity ")
		if !ok {
			r.unreadable++
			return
		}
		s := r.podSecurity(level, outcome(code))
		denied := s
		denied.Outcome = Denied
		if slices.ContainsFunc(r.Decisions, func(d Decision) bool { return d.Subject == denied }) {
			return // the namespace also enforces this level, so the request was denied
		}
		r.decision(s).add(Message{-1, text})
	case auditlog.AnnotationEnforced:
		r.Evaluation.Enforced = clip(string(value), 64)
	case auditlog.AnnotationExempt:
		r.Evaluation.Exempt = clip(string(value), 64)
	case auditlog.AnnotationError:
		r.Evaluation.Error = true
	case auditlog.AnnotationFailedOpen:
		if len(value) == 0 {
			r.unreadable++
			return
		}
		r.decision(Subject{Kind: FailedOpen, Outcome: outcome(code), Policy: clip(string(value), maxName)})
	case auditlog.AnnotationMutation:
		r.mutation(value)
	}
}

// outcome returns the outcome that follows from an HTTP status.
func outcome(code int) Outcome {
	if code >= 300 {
		return Failed
	}
	return Passed
}

// failures reads the failures of policies in an annotation.
func (r *Request) failures(value []byte, code int) {
	n := 0
	ok := auditlog.PolicyFailures(value, func(f *auditlog.PolicyFailure) bool {
		if n++; n > maxFailures {
			r.dropped++
			return false
		}
		actions := make([]string, len(f.Actions))
		for i, a := range f.Actions {
			actions[i] = clip(a.String(), 32)
		}
		s := Subject{
			Kind: ValidatingPolicy, Outcome: outcome(code), Policy: clip(f.Policy.String(), maxName), Binding: clip(f.Binding.String(), maxName),
			Actions: strings.Join(actions, ","),
		}
		if s.Outcome == Failed && slices.Contains(actions, "Deny") {
			s.Outcome = Denied
			// The response has only the first failure, and the annotation has
			// all of them.
			r.Decisions = slices.DeleteFunc(r.Decisions, func(d Decision) bool {
				return d.Kind == s.Kind && d.Outcome == Denied && d.Policy == s.Policy && d.Binding == s.Binding && d.Actions == ""
			})
		}
		r.decision(s).add(Message{f.Expression, clip(f.Message.String(), maxMessage)})
		return true
	})
	if !ok {
		r.unreadable++
	}
	r.cut = r.cut || n == serverFailures
}

// mutation reads the annotation about a call of a mutating webhook. A webhook
// can be called twice for one request.
func (r *Request) mutation(value []byte) {
	configuration, webhook, mutated, ok := auditlog.WebhookMutation(value)
	if !ok {
		r.unreadable++
		return
	}
	m := Mutation{clip(configuration.String(), maxName), clip(webhook.String(), maxName), mutated}
	for i := range r.Mutations {
		if x := &r.Mutations[i]; x.Configuration == m.Configuration && x.Webhook == m.Webhook {
			x.Mutated = x.Mutated || m.Mutated
			return
		}
	}
	if len(r.Mutations) >= maxMutations {
		r.dropped++
		return
	}
	r.Mutations = append(r.Mutations, m)
}

// podSecurity returns the subject for a Pod Security level in the request's
// namespace.
func (r *Request) podSecurity(level string, o Outcome) Subject {
	kind := PodSecurityTemplate
	if r.Object.Resource == "pods" && r.Object.Group == "" {
		kind = PodSecurity
	}
	return Subject{Kind: kind, Outcome: o, Policy: level, Namespace: r.Object.Namespace}
}

// violation splits a message of Pod Security into the level and the reasons.
func violation(text, prefix string) (level, reasons string, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix+`"`)
	if !ok {
		return "", "", false
	}
	level, reasons, ok = strings.Cut(rest, `"`)
	return piece(level, 64), piece(strings.TrimPrefix(reasons, ": "), maxMessage), ok && level != ""
}

var (
	deniedWord   = []byte("denied ")
	violatesWord = []byte("violates PodSecurity ")
)

// mayDeny reports whether a message may come from admission control.
func mayDeny(message auditlog.Text) bool {
	return message.Holds(deniedWord) || message.Holds(violatesWord)
}

// answer finds out from the response which part of admission control denied the
// request. It reads the causes before the message. A client can choose the
// object's name, which is in the message before the reason, but not in the
// causes.
//
// The messages come from k8s.io/apiserver v0.28 to v0.37,
// pkg/admission/plugin/policy/validating/dispatcher.go,
// policy/generic/policy_dispatcher.go and webhook/errors/statuserror.go. The
// messages of Pod Security come from k8s.io/pod-security-admission,
// admission/admission.go.
func (r *Request) answer(e *auditlog.Event) {
	found := false
	e.Causes(func(c auditlog.Cause) bool {
		found = r.reason(clip(c.Message.String(), 2*maxMessage))
		return !found
	})
	if found {
		return
	}
	message := clip(e.Message.String(), 4*maxMessage)
	if r.reason(message) {
		return
	}
	if _, reason, ok := strings.Cut(message, `" is forbidden: `); ok {
		r.reason(reason)
	}
}

// reason reads the reason for a denial. It returns false for other texts.
func (r *Request) reason(text string) bool {
	if level, reasons, ok := violation(text, "violates PodSecurity "); ok {
		r.decision(r.podSecurity(level, Denied)).add(Message{-1, reasons})
		return true
	}
	if rest, ok := strings.CutPrefix(text, `admission webhook "`); ok {
		name, rest, ok := strings.Cut(rest, `" denied the request`)
		if ok {
			r.decision(Subject{Kind: Webhook, Outcome: Denied, Policy: piece(name, maxName)}).add(Message{-1, piece(strings.TrimLeft(rest, ": "), maxMessage)})
		}
		return ok
	}
	s := Subject{Kind: ValidatingPolicy, Outcome: Denied}
	rest, ok := strings.CutPrefix(text, "ValidatingAdmissionPolicy ")
	if !ok {
		s.Kind = MutatingPolicy
		if rest, ok = strings.CutPrefix(text, "policy "); !ok {
			return false
		}
	}
	names, message, ok := strings.Cut(rest, " denied request: ")
	if !ok {
		return false
	}
	policy, binding, _ := strings.Cut(names, " with binding ")
	s.Policy, s.Binding = piece(strings.Trim(policy, `'"`), maxName), piece(strings.Trim(binding, `'"`), maxName)
	r.decision(s).add(Message{-1, piece(message, maxMessage)})
	return true
}

// piece is clip for a part of a longer text. Its result does not keep the
// longer text in memory.
func piece(s string, n int) string { return strings.Clone(clip(s, n)) }

// clip returns at most n bytes of a text. It replaces invalid UTF-8 as
// encoding/json does, so that a text does not change when it is saved and read
// again.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = strings.Clone(s[:n])
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
