package auditlog

import "strings"

// Annotation is the meaning of an audit annotation. The zero value means that
// the annotation does not describe a decision of admission control.
type Annotation uint8

// These are the annotations of admission control (k8s.io/apiserver,
// pkg/admission/plugin/policy/validating/dispatcher.go and
// pkg/admission/plugin/webhook; k8s.io/pod-security-admission,
// api/constants.go). MutatingAdmissionPolicies write no annotations. The list
// is complete for v0.28 to v0.37 of these modules.
const (
	AnnotationOther Annotation = iota
	// AnnotationFailures has the failures of ValidatingAdmissionPolicies whose
	// binding has the action Audit: see PolicyFailures.
	AnnotationFailures
	// AnnotationViolations has the violation, as text, of the Pod Security
	// level that the namespace audits.
	AnnotationViolations
	// AnnotationEnforced is the Pod Security level that the pod was checked
	// against, such as "baseline:latest".
	AnnotationEnforced
	// AnnotationExempt is the reason why Pod Security did not check the pod:
	// user, namespace or runtimeClass.
	AnnotationExempt
	// AnnotationError is an error of Pod Security.
	AnnotationError
	// AnnotationMutation describes a call of a mutating webhook: see
	// WebhookMutation.
	AnnotationMutation
	// AnnotationFailedOpen is the name of a webhook that could not be called.
	// Its failurePolicy accepted the request anyway.
	AnnotationFailedOpen
)

// annotations has the keys with their first byte. A key that ends with a slash
// is a prefix.
var annotations = [...]struct {
	first byte
	key   string
	is    Annotation
}{
	{'v', "validation.policy.admission.k8s.io/validation_failure", AnnotationFailures},
	{'p', "pod-security.kubernetes.io/enforce-policy", AnnotationEnforced},
	{'p', "pod-security.kubernetes.io/audit-violations", AnnotationViolations},
	{'p', "pod-security.kubernetes.io/exempt", AnnotationExempt},
	{'p', "pod-security.kubernetes.io/error", AnnotationError},
	{'m', "mutation.webhook.admission.k8s.io/", AnnotationMutation},
	{'f', "failed-open.mutation.webhook.admission.k8s.io/", AnnotationFailedOpen},
	{'f', "failed-open.validating.webhook.admission.k8s.io/", AnnotationFailedOpen},
}

// AnnotationOf returns the meaning of the key of an annotation.
func AnnotationOf(key Text) Annotation {
	if len(key.raw) == 0 {
		return AnnotationOther
	}
	for i := range annotations {
		a := &annotations[i]
		if a.first == key.raw[0] && isKey(key.raw, a.key) {
			return a.is
		}
	}
	return AnnotationOther
}

// mayDecide reports whether any key in annotations begins with this byte.
func mayDecide(first byte) bool {
	return first == 'v' || first == 'p' || first == 'm' || first == 'f'
}

// isKey reports whether key equals want, or begins with want if want ends with
// a slash. A dot in want also matches an underscore in key, because Elastic's
// pipeline replaces the dots of keys by underscores.
func isKey(key []byte, want string) bool {
	if len(key) < len(want) || len(key) > len(want) && !strings.HasSuffix(want, "/") {
		return false
	}
	for i := range len(want) {
		if key[i] != want[i] && (want[i] != '.' || key[i] != '_') {
			return false
		}
	}
	return true
}

// PolicyFailure is an entry of AnnotationFailures: an expression of a
// ValidatingAdmissionPolicy that was false or failed.
type PolicyFailure struct {
	Message, Policy, Binding Text
	// Expression is the index of the expression in spec.validations.
	Expression int
	// Actions are the actions of the binding, in the binding's order.
	Actions []Text
}

// maxActions is the largest number of actions that are read. Servers know three
// actions.
const maxActions = 8

// PolicyFailures calls yield with each failure in value, the value of
// AnnotationFailures, until yield returns false. It returns false if value, as
// far as it was read, is not a list of objects. value must have no escapes: see
// Text.Bytes.
func PolicyFailures(value []byte, yield func(*PolicyFailure) bool) bool {
	c := cursor{b: value}
	c.space()
	if c.peek() != '[' {
		return false
	}
	stopped, list := false, true
	ok := c.array(func() bool {
		if c.peek() != '{' {
			list = false
			return c.skip()
		}
		var f PolicyFailure
		ok := c.object(func(key Text) (ok bool) {
			switch string(key.raw) {
			case "message":
				f.Message, ok = c.text()
			case "policy":
				f.Policy, ok = c.text()
			case "binding":
				f.Binding, ok = c.text()
			case "expressionIndex":
				f.Expression, ok = c.small()
			case "validationActions":
				ok = c.array(func() bool {
					t, ok := c.text()
					if len(f.Actions) < maxActions {
						f.Actions = append(f.Actions, t)
					}
					return ok
				})
			default:
				ok = c.skip()
			}
			return ok
		})
		if !ok {
			return false
		}
		stopped = !yield(&f)
		return !stopped
	})
	return stopped || ok && list
}

// WebhookMutation reads the value of AnnotationMutation. It returns the webhook
// configuration, the webhook, and whether the webhook changed the object. ok is
// false if value has another form. value must have no escapes: see Text.Bytes.
func WebhookMutation(value []byte) (configuration, webhook Text, mutated, ok bool) {
	c := cursor{b: value}
	c.space()
	if c.peek() != '{' {
		return Text{}, Text{}, false, false
	}
	ok = c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "configuration":
			configuration, ok = c.text()
		case "webhook":
			webhook, ok = c.text()
		case "mutated":
			var raw []byte
			raw, ok = c.raw()
			mutated = string(raw) == "true"
		default:
			ok = c.skip()
		}
		return ok
	})
	return configuration, webhook, mutated, ok && !webhook.IsZero()
}
