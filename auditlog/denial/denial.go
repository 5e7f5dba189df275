// Package denial counts the requests that admission control denied, and requests that it would deny
// after a change of configuration. There are three such changes:
//
//   - a policy's binding denies instead of auditing
//   - a namespace enforces the Pod Security level that it audits
//   - a webhook fails closed
//
// Read converts an event to a short Request, using its audit annotations and the answer of the
// server. A Table counts requests. Tables of several logs can be merged.
//
// Memory is bounded: beyond its limits, a Table counts requests without their clients and objects,
// and Gaps has the number of these.
package denial

import "slices"

// Kind is the part of admission control that denies. The zero value is no part.
type Kind uint8

// The kinds.
const (
	// ValidatingPolicy is a ValidatingAdmissionPolicy.
	ValidatingPolicy Kind = iota + 1
	// MutatingPolicy is a MutatingAdmissionPolicy. It denies if it fails.
	MutatingPolicy
	// PodSecurity is Pod Security for pods.
	PodSecurity
	// PodSecurityTemplate is Pod Security for objects with a pod template, such as
	// Deployments. The server never denies these, but it denies their pods.
	PodSecurityTemplate
	// Webhook is an admission webhook that denied.
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

// Outcome is the result of the request. The zero value is unknown.
type Outcome uint8

// The outcomes.
const (
	// Passed is a request that the server accepted. It would be denied.
	Passed Outcome = iota + 1
	// Failed is a request that the server refused for another reason.
	Failed
	// Denied is a request that the server refused for this reason.
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

// Subject is one reason to deny requests.
type Subject struct {
	Kind    Kind    `json:"kind"`
	Outcome Outcome `json:"outcome"`
	// Policy is the name of the policy, the level of Pod Security such as
	// "restricted:latest", or the name of the webhook.
	Policy string `json:"policy"`
	// Binding is the name of the policy's binding; "" if the log does not have it.
	Binding string `json:"binding"`
	// Namespace is the namespace with the level of Pod Security; "" for other kinds.
	Namespace string `json:"namespace"`
	// Actions are the validation actions of the binding, separated by commas; "" if
	// the log does not have them.
	Actions string `json:"actions"`
}

// Decision is a Subject of a request with its messages.
type Decision struct {
	Subject
	// Messages are the messages by expression.
	Messages []Message
}

// Message is a message of an expression.
type Message struct {
	// Expression is the index of the expression in spec.validations; -1 if the log
	// does not have it.
	Expression int
	Text       string
}

// Evaluation is what Pod Security did with a request.
type Evaluation struct {
	Namespace string `json:"namespace"`
	// Enforced is the level that a pod was checked against; "" if it was not checked.
	Enforced string `json:"enforced"`
	// Exempt is the reason why nothing was checked: user, namespace or runtimeClass.
	Exempt string `json:"exempt"`
	// Error is set if Pod Security failed, for example by an invalid label.
	Error bool `json:"error"`
}

// Mutation is the call of a mutating webhook.
type Mutation struct {
	Configuration, Webhook string
	Mutated                bool
}

// Object is the object of a request. Name is "" if the request does not name it, for example with
// generateName or if it deletes a collection.
type Object struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Namespace   string `json:"namespace"`
	Name        string `json:"name"`
}

// Request is the data of an event that a Table needs.
type Request struct {
	Decisions  []Decision
	Evaluation Evaluation // zero without one
	Mutations  []Mutation
	Object     Object
	AuditID    string
	DryRun     bool

	cut        bool  // the server may have dropped failures
	dropped    int64 // decisions beyond the limits of Read
	unreadable int64 // annotations in an unknown form
}

// decision returns the decision for a subject. Beyond the limits it returns nil.
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

// add adds a message unless the decision has one of the same expression.
func (d *Decision) add(m Message) {
	if d == nil || len(d.Messages) >= maxExpressions || slices.ContainsFunc(d.Messages, func(x Message) bool { return x.Expression == m.Expression }) {
		return
	}
	d.Messages = append(d.Messages, m)
}
