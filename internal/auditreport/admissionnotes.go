package auditreport

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
)

// allFailures is the first minor that records up to 50 failures of a request. Older
// servers record only the first failure (kubernetes/kubernetes#140001).
const allFailures = 37

func admissionNotes(r *tally.Report, o Options) []string {
	if r.Denials == nil || o.DeprecatedOnly {
		return nil
	}
	var out []string
	policies, security, unnamed := o.AdmissionOnly, o.AdmissionOnly, int64(0)
	for _, d := range r.Denials.Denials {
		policies = policies || d.Kind == denial.ValidatingPolicy
		security = security || d.Kind == denial.PodSecurity || d.Kind == denial.PodSecurityTemplate
		if d.Outcome == denial.Passed {
			unnamed += d.Unnamed
		}
	}
	if policies {
		out = append(out, "a log has only failures of policies that are bound with the action Audit, in events of level Metadata or higher: a policy without a failure leaves no trace, whether it saw requests or not, and neither does a binding with Warn alone, a failure that failurePolicy Ignore hides, or a MutatingAdmissionPolicy")
		switch {
		case r.Server == 0:
			out = append(out, "the version of the server is not known: servers before 1.37 record only the first failure of a request, so that other policies and bindings may have failed more often than they are counted")
		case r.Server < allFailures:
			out = append(out, fmt.Sprintf("a server of version %s records only the first failure of a request: other policies and bindings may have failed more often than they are counted", r.Server))
		}
	}
	if security {
		out = append(out, "Pod Security records violations of the level that the namespace audits: a level that it only warns of leaves no trace, and pods that exist are evaluated only when they are created or their images change")
	}
	g := r.Denials.Gaps
	for _, x := range []struct {
		n          int64
		noun, text string
	}{
		{unnamed, "decision", "about requests that do not name an object, such as those with generateName: these objects are not counted"},
		{g.Cut, "request", "with 50 failures of policies, which is as many as a server records: further failures are missing"},
		{g.Unreadable, "annotation", "of admission control in an unknown form, which are not counted"},
		{g.Decisions, "decision", "beyond the limit of policies, which are not counted"},
		{g.Rows, "decision", "beyond the limit of clients and objects, which are counted without them"},
		{g.Expressions, "failure", "beyond the limit of expressions, which are counted without their messages"},
		{g.Namespaces, "evaluation", "of Pod Security beyond the limit of namespaces, which are not counted"},
		{g.Webhooks, "call", "of mutating webhooks beyond the limit, which are not counted"},
		{g.Uncounted, "request", "in states that an earlier version of kubevet saved: what admission control denied or would deny of them is not known"},
	} {
		if x.n > 0 {
			out = append(out, report.Count(x.n, x.noun)+" "+x.text)
		}
	}
	return out
}
