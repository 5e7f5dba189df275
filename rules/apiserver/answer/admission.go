package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
)

// Admission is the cluster's state that admission plugins read. A nil *Admission
// has no policies.
type Admission struct {
	// Policies are the policies of the cluster.
	Policies *policy.Cluster
	// Around has the objects that built-in plugins read. It may be nil.
	Around *admitted.Around
	// User is the user who sends the request, or nil if the user is unknown.
	User *policy.User
	// FieldManager is the request's field manager. Empty means the field manager
	// of kubectl apply.
	FieldManager string
}

const kubectlManager = "kubectl-client-side-apply"

// policies evaluates the admission policies of a cluster for one request. The
// methods of a nil *policies do nothing.
type policies struct {
	*Admission
	server       apiserver.Server
	skipMutation bool // skip mutating policies
	obj, old     runtime.Object
	// unknowable are the paths of obj whose values are not known. unknowableOld
	// are those of old.
	unknowable, unknowableOld []string
	// mutated has the names of the mutating policies that changed obj.
	mutated []string
}

// newPolicies returns the policies for a request, or nil if there are none. r.New
// must decode. An error is added to a.Unknown.
func newPolicies(s apiserver.Server, r apiserver.Request, around Surroundings, namespaced bool, a *apiserver.Answer) *policies {
	if around.Admission == nil || around.Admission.Policies.Empty() {
		return nil
	}
	p, err := around.Admission.admit(s, r, namespaced)
	if err != nil {
		a.Unknown = append(a.Unknown, fmt.Sprintf("admission policies: %v", err))
		return nil
	}
	p.skipMutation = around.skipMutation
	return p
}

// Attributes returns a request as mutating webhooks see it. r.New must decode. ok
// is false if admitted.Decoded returns an error.
func (cluster *Admission) Attributes(s apiserver.Server, r apiserver.Request, namespaced bool) (a policy.Attributes, ok bool) {
	p, err := cluster.admit(s, r, namespaced)
	if err != nil {
		return policy.Attributes{}, false
	}
	return p.attributes(r), true
}

// admit decodes the objects of a request and applies the built-in plugins.
func (cluster *Admission) admit(s apiserver.Server, r apiserver.Request, namespaced bool) (*policies, error) {
	p := &policies{Admission: cluster, server: s}
	var err error
	if p.obj, p.old, err = admitted.Decoded(s, r); err != nil {
		return nil, err
	}
	for _, obj := range []runtime.Object{p.obj, p.old} {
		setNamespace(obj, namespaced)
	}
	if p.old != nil {
		p.unknowableOld = admitted.Stored(s, p.Around, p.old)
	}
	p.unknowable = admitted.Plugins(s, p.Around, p.obj, p.old)
	return p, nil
}

// setNamespace sets metadata.namespace, which the server takes from the request's
// URL. A namespaced object without a namespace is in "default", as with kubectl.
// For other objects, setNamespace clears the namespace.
func setNamespace(obj runtime.Object, namespaced bool) {
	if obj == nil {
		return
	}
	m, err := meta.Accessor(obj)
	switch {
	case err != nil:
	case !namespaced:
		m.SetNamespace("")
	case m.GetNamespace() == "":
		m.SetNamespace("default")
	}
}

func (p *policies) attributes(r apiserver.Request) policy.Attributes {
	return policy.Attributes{
		Request: r, Object: p.obj, Old: p.old, User: p.User, DryRun: true,
		FieldManager: cmp.Or(p.FieldManager, kubectlManager),
		Unknowable:   p.unknowable, UnknowableOld: p.unknowableOld,
		Default: func(obj runtime.Object) { admitted.Default(p.server, obj) },
		Again: func(obj runtime.Object) runtime.Object {
			admitted.Plugins(p.server, p.Around, obj, p.old)
			return obj
		},
	}
}

// mutate applies the mutating policies. It returns the request with the changed
// object. ok is false if a policy refuses the request.
func (p *policies) mutate(r apiserver.Request, a *apiserver.Answer) (_ apiserver.Request, ok bool) {
	if p == nil || p.skipMutation || !p.Policies.Mutates() {
		return r, true
	}
	m := p.Policies.Mutate(p.attributes(r))
	p.addUnknown(m.Unknown, a)
	if len(m.Causes) > 0 {
		a.Causes = withDenial(m.Causes, m.Status, m.Reason)
		return r, false
	}
	for _, c := range m.Changes {
		if name := fmt.Sprintf("MutatingAdmissionPolicy '%s' with binding '%s'", c.Policy, c.Binding); !slices.Contains(p.mutated, name) {
			p.mutated = append(p.mutated, name)
		}
	}
	if len(m.Changes) > 0 {
		p.obj, r.New = m.Object, m.Value
		r.Body, r.Duplicates = nil, nil
	}
	return r, true
}

func (p *policies) validate(r apiserver.Request, a *apiserver.Answer) {
	if p == nil {
		return
	}
	p.unknowable = append(p.unknowable, admitted.Prepared(p.server, p.obj, p.old)...)
	v := p.Policies.Validate(p.attributes(r))
	a.Causes = append(a.Causes, withDenial(v.Causes, v.Status, v.Reason)...)
	a.Warnings = append(a.Warnings, v.Warnings...)
	p.addUnknown(v.Unknown, a)
}

// withDenial sets Policy in causes, with the message and the reason of the
// answer's status.
func withDenial(causes []apiserver.Cause, message, reason string) []apiserver.Cause {
	for i := range causes {
		causes[i].Policy = &apiserver.Denial{Message: message, Reason: reason}
	}
	return causes
}

// addUnknown adds the unknown parts of a policy's outcome to a.Unknown.
func (p *policies) addUnknown(all []policy.Unknown, a *apiserver.Answer) {
	for _, u := range all {
		kind := "ValidatingAdmissionPolicy"
		if u.Mutating {
			kind = "MutatingAdmissionPolicy"
		}
		text := fmt.Sprintf("%s '%s'", kind, u.Policy)
		if u.Binding != "" {
			text += fmt.Sprintf(" with binding '%s'", u.Binding)
		}
		if text += ": " + u.What; !slices.Contains(a.Unknown, text) {
			a.Unknown = append(a.Unknown, text)
		}
	}
}

// markMutated sets MutatedBy in the causes and warnings that are missing in the
// answer to the object before mutations. sent returns that answer.
func (p *policies) markMutated(a *apiserver.Answer, sent func() apiserver.Answer) {
	if p == nil || len(p.mutated) == 0 || len(a.Causes)+len(a.Warnings) == 0 {
		return
	}
	by := strings.Join(p.mutated, " and ")
	before := sent()
	for i := range a.Causes {
		c := &a.Causes[i]
		if !slices.ContainsFunc(before.Causes, func(o apiserver.Cause) bool { return o.Field == c.Field && o.Text == c.Text }) {
			c.MutatedBy = by
		}
	}
	for i := range a.Warnings {
		w := &a.Warnings[i]
		if !slices.ContainsFunc(before.Warnings, func(o apiserver.Warning) bool { return o.Field == w.Field && o.Text == w.Text }) {
			w.MutatedBy = by
		}
	}
}
