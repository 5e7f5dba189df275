package auditreport

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
)

// allFailures is the minor from which on a server records all failures of a request,
// up to 50; earlier ones record the first (kubernetes/kubernetes#140001).
const allFailures = 37

// admissionNotes describes what the logs cannot show of admission control.
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
	add := func(n int64, format string) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, n))
		}
	}
	add(unnamed, "%d decisions about requests that would be denied are about objects whose name the server generates: these objects are not counted")
	add(g.Cut, "%d requests have 50 failures of policies, which is as many as a server records: further failures are missing")
	add(g.Unreadable, "%d annotations of admission control have an unknown form and were not counted")
	add(g.Decisions, "too many different policies: %d of their decisions were not counted")
	add(g.Rows, "too many clients and objects: %d decisions are counted without them")
	add(g.Expressions, "too many expressions: %d failures are counted without their messages")
	add(g.Namespaces, "too many namespaces: %d evaluations of Pod Security were not counted")
	add(g.Webhooks, "too many mutating webhooks: %d calls were not counted")
	if g.Uncounted > 0 {
		out = append(out, fmt.Sprintf("%s in saved states are missing in what admission control denied or would deny: an earlier version of kubevet saved them", report.Count(g.Uncounted, "request")))
	}
	return out
}
