//go:build !js

package policy

import (
	"context"
	"sync"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Conditions are the match conditions of a webhook. They are safe for concurrent
// use. They are compiled for a release on first use.
type Conditions struct {
	list     []admissionregistration.MatchCondition
	failure  admissionregistration.FailurePolicyType
	compiled sync.Map // from lifecycle.Minor to func() matcher
	slow     slowness
}

// matcher evaluates compiled conditions. The embedded Matcher is nil if a
// condition does not compile.
type matcher struct{ matchconditions.Matcher }

// NewConditions returns the conditions of a webhook, or nil if list is empty. If
// a condition cannot be evaluated, the server refuses the request. If
// ignoreFailures is set, the server skips the webhook instead.
func NewConditions(list []Condition, ignoreFailures bool) *Conditions {
	if len(list) == 0 {
		return nil
	}
	k := &Conditions{failure: admissionregistration.Fail}
	if ignoreFailures {
		k.failure = admissionregistration.Ignore
	}
	for _, c := range list {
		k.list = append(k.list, admissionregistration.MatchCondition{Name: c.Name, Expression: c.Expression})
	}
	return k
}

// Match evaluates the conditions for a request. kind has the version of the
// object that the webhook's rules select. The second result is the server's
// message for the outcome Refused, and the unknown fact for Undecided.
//
// Servers without the gate AdmissionWebhookMatchConditions drop the conditions,
// so the outcome is Called. Source: the end of ShouldCallHook in
// k8s.io/apiserver/pkg/admission/plugin/webhook/generic/webhook.go (1.27–1.37).
func (k *Conditions) Match(c *Cluster, a Attributes, kind schema.GroupVersionKind) (Outcome, string) {
	if k == nil || c.server.Minor < 27 || !c.server.Enabled("AdmissionWebhookMatchConditions") {
		return Called, ""
	}
	if a.Object == nil {
		return Undecided, "object"
	}
	m := k.compile(c.server.Minor)
	if m.Matcher == nil {
		return Undecided, "effect of an expression that does not compile"
	}
	r := c.newRequest(&a, a.Object)
	versioned, err := admission.NewVersionedAttributes(r, kind, r)
	if err != nil {
		return Undecided, "conversion to " + kind.GroupVersion().String()
	}
	if k.slow.exhausted() {
		return Undecided, tooSlow
	}
	ctx, stop := k.slow.start(context.WithValue(context.Background(), evaluationKey{}, r))
	defer stop()
	result := m.Match(ctx, versioned, nil, nil)
	if result.Error != nil || result.Matches {
		for _, index := range sortedIndexes(r.unknown[matchConditions]) {
			return Undecided, r.unknown[matchConditions][index][0]
		}
	}
	switch {
	case result.Error != nil:
		return Refused, status(r, result.Error.Error())
	case result.Matches:
		return Called, ""
	}
	// A condition is false, or it fails and failures are ignored. The other
	// conditions do not matter then.
	return Skipped, ""
}

func (k *Conditions) compile(minor lifecycle.Minor) matcher {
	build, _ := k.compiled.LoadOrStore(minor, sync.OnceValue(func() matcher {
		l, err := newLists(minor, expression.Variables{Authorizer: true}, nil)
		if err != nil {
			return matcher{}
		}
		m := matcher{l.matcher(k.list, &k.failure, "")}
		if l.err != nil {
			return matcher{}
		}
		return m
	}))
	return build.(func() matcher)()
}

// Conditions returns the arguments of NewConditions, for callers that copy or
// compare conditions.
func (k *Conditions) Conditions() (list []Condition, ignoreFailures bool) {
	if k == nil {
		return nil, false
	}
	for _, c := range k.list {
		list = append(list, Condition{c.Name, c.Expression})
	}
	return list, k.failure == admissionregistration.Ignore
}
