// Package denial counts the requests that admission control denied, and
// requests that it would deny after a change of configuration. There are three
// such changes:
//
//   - a policy's binding denies instead of auditing
//   - a namespace enforces the Pod Security level that it audits
//   - a webhook fails closed
//
// Read converts an event to a short Request. Its sources are the audit
// annotations and the response. A Table counts requests. Tables of several logs
// can be merged.
//
// Memory is bounded. Beyond its limits, a Table counts requests without their
// clients and objects. Gaps has the number of such requests.
package denial

import "slices"

// Kind is a part of admission control that denies requests. The zero value is
// invalid.
type Kind uint8

// These are the kinds.
const (
	// ValidatingPolicy is a ValidatingAdmissionPolicy.
	ValidatingPolicy Kind = iota + 1
	// MutatingPolicy is a MutatingAdmissionPolicy. It denies a request if the
	// policy itself fails.
	MutatingPolicy
	// PodSecurity is Pod Security Admission for pods.
	PodSecurity
	// PodSecurityTemplate is Pod Security Admission for an object with a pod
	// template, such as a Deployment. The server accepts the object, but denies
	// the pods that are made from the template.
	PodSecurityTemplate
	// Webhook is an admission webhook that denied the request.
	Webhook
	// FailedOpen is an admission webhook that could not be called. Its failurePolicy is Ignore.
	FailedOpen
	kinds
)

// String returns the name of a kind in reports.
func (k Kind) String() string {
	switch k {
	case ValidatingPolicy:
		return "ValidatingAdmissionPolicy"
	case MutatingPolicy:
		return "MutatingAdmissionPolicy"
	case PodSecurity:
		return "PodSecurity"
	case PodSecurityTemplate:
		return "PodSecurityTemplate"
	case Webhook:
		return "Webhook"
	case FailedOpen:
		return "FailedOpen"
	}
	return ""
}

// Outcome is the result of a request. The zero value is unknown.
type Outcome uint8

// These are the outcomes of requests.
const (
	// Passed means that the server accepted the request. After the change of
	// configuration, it would be denied.
	Passed Outcome = iota + 1
	// Failed means that the server refused the request, but not because of the
	// Subject.
	Failed
	// Denied means that the server refused the request because of the Subject.
	Denied
	outcomes
)

// String returns the name of an outcome in reports.
func (o Outcome) String() string {
	switch o {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	case Denied:
		return "denied"
	}
	return ""
}

// Subject is a reason to deny requests.
type Subject struct {
	Kind    Kind    `json:"kind"`
	Outcome Outcome `json:"outcome"`
	// Policy is the name of the policy or of the webhook. For Pod Security, it
	// is the level, such as "restricted:latest".
	Policy string `json:"policy"`
	// Binding is the name of the policy's binding; "" if the log does not have it.
	Binding string `json:"binding"`
	// Namespace is the namespace with the Pod Security level; "" for other
	// kinds.
	Namespace string `json:"namespace"`
	// Actions are the validationActions of the binding, separated by commas; ""
	// if the log does not have them.
	Actions string `json:"actions"`
}

// Decision is a Subject of one request, with messages.
type Decision struct {
	Subject
	// Messages has one message for each expression that failed.
	Messages []Message
}

// Message is the message of one expression.
type Message struct {
	// Expression is the index of the expression in spec.validations; -1 if the log
	// does not have it.
	Expression int
	Text       string
}

// Evaluation says what Pod Security Admission did with a request.
type Evaluation struct {
	Namespace string `json:"namespace"`
	// Enforced is the level that the pod was checked against; "" if it was not
	// checked.
	Enforced string `json:"enforced"`
	// Exempt is the reason why the pod was not checked: user, namespace or
	// runtimeClass.
	Exempt string `json:"exempt"`
	// Error is set if Pod Security Admission failed, for example because of an
	// invalid label.
	Error bool `json:"error"`
}

// Mutation is the call of a mutating webhook.
type Mutation struct {
	Configuration, Webhook string
	Mutated                bool
}

// Object is the object of a request. Name is "" if the request names no object.
// Examples are a creation with generateName, and the deletion of a collection.
type Object struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
}

// Request has the data of an event that a Table needs.
type Request struct {
	Decisions  []Decision
	Evaluation Evaluation // zero if there is none
	Mutations  []Mutation
	Object     Object
	AuditID    string
	DryRun     bool

	cut        bool  // the server may have dropped failures
	dropped    int64 // decisions beyond the limits of Read
	unreadable int64 // annotations in an unknown form
}

// decision returns the decision for a subject, which is added if it is new. It
// returns nil if there are too many decisions.
func (r *Request) decision(s Subject) *Decision {
	at := slices.IndexFunc(r.Decisions, func(d Decision) bool { return d.Subject == s })
	if at >= 0 {
		return &r.Decisions[at]
	}
	if len(r.Decisions) >= maxDecisions {
		r.dropped++
		return nil
	}
	r.Decisions = append(r.Decisions, Decision{Subject: s})
	return &r.Decisions[len(r.Decisions)-1]
}

// add adds a message, unless the decision has a message of the same expression.
func (d *Decision) add(m Message) {
	if d == nil || len(d.Messages) >= maxExpressions || slices.ContainsFunc(d.Messages, func(x Message) bool { return x.Expression == m.Expression }) {
		return
	}
	d.Messages = append(d.Messages, m)
}
