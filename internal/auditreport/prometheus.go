package auditreport

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
)

// writePrometheus writes gauges for the textfile collector of the node exporter. The
// columns of --group-by become labels.
func writePrometheus(w io.Writer, d *Document, _ Look) error {
	out := &exposition{w: w}
	for _, note := range d.Notes {
		fmt.Fprintf(w, "# Note: %s\n", quote.Text(note))
	}
	out.metric("kubevet_audit_deprecated_requests", "Requests to APIs that are removed or deprecated, by the columns of --group-by.")
	for _, r := range d.Deprecated.Rows {
		labels := make([]string, 0, 2*len(r.values)+4)
		for i, by := range d.Deprecated.GroupBy {
			labels = append(labels, by, r.values[i])
		}
		labels = append(labels, "wildcard", fmt.Sprint(r.Wildcard))
		out.sample(r.Count, labels...)
	}
	type sample struct {
		name, help string
		of         func(*Client) int64
	}
	for _, m := range []sample{
		{"kubevet_audit_writes", "Writes that were carried out.", func(c *Client) int64 { return c.Writes }},
		{"kubevet_audit_unnamed_writes", "Writes without a field manager.", func(c *Client) int64 { return c.Unnamed }},
		{"kubevet_audit_applies", "Server-side applies.", func(c *Client) int64 { return c.Applies }},
		{"kubevet_audit_forced_applies", "Forced server-side applies.", func(c *Client) int64 { return c.Forced }},
		{"kubevet_audit_manager_conflicts", "Applies refused because another manager owns a field.", func(c *Client) int64 { return c.ManagerConflicts }},
		{"kubevet_audit_lock_conflicts", "Writes refused because the object had changed.", func(c *Client) int64 { return c.LockConflicts }},
		{"kubevet_audit_noop_writes", "Writes that changed nothing.", func(c *Client) int64 { return c.NoopWrites }},
		{"kubevet_audit_dry_runs", "Requests for a dry run.", func(c *Client) int64 { return c.DryRuns }},
	} {
		out.metric(m.name, m.help)
		for i := range d.Clients {
			c := &d.Clients[i]
			if n := m.of(c); n > 0 {
				out.sample(n, "user", c.User, "agent", c.Agent)
			}
		}
	}
	writeAdmissionMetrics(out, d)
	for _, m := range []struct {
		name, help string
		n          int64
	}{
		{"kubevet_audit_events", "Events that were read.", d.Summary.Events},
		{"kubevet_audit_requests", "Requests that were counted.", d.Summary.Requests},
		{"kubevet_audit_damaged_records", "Records that could not be read.", d.Summary.Damaged},
	} {
		out.metric(m.name, m.help)
		out.sample(m.n)
	}
	return out.err
}

// writeAdmissionMetrics writes the gauges for Document.Admission.
func writeAdmissionMetrics(out *exposition, d *Document) {
	for _, m := range []struct {
		name, help string
		of         func(*Denial) int64
	}{
		{"kubevet_audit_admission_requests", "Requests that admission control denied (outcome denied) or would deny (passed, failed).", func(x *Denial) int64 { return x.Requests }},
		{"kubevet_audit_admission_clients", "Clients of these requests.", func(x *Denial) int64 { return int64(x.Clients) }},
		{"kubevet_audit_admission_objects", "Objects that these requests name.", func(x *Denial) int64 { return int64(x.Objects) }},
		{"kubevet_audit_admission_last_timestamp_seconds", "Time of the last of these requests.", func(x *Denial) int64 {
			at, err := time.Parse(time.RFC3339, x.Last)
			if err != nil {
				return 0
			}
			return max(0, at.Unix())
		}},
	} {
		out.metric(m.name, m.help)
		for i := range d.Admission.Denials {
			x := &d.Admission.Denials[i]
			out.sample(m.of(x), "outcome", x.Outcome, "kind", x.Kind, "policy", x.Policy, "binding", x.Binding, "namespace", x.Namespace, "actions", strings.Join(x.Actions, ","))
		}
	}
	out.metric("kubevet_audit_pod_security_requests", "Requests that Pod Security evaluated or exempted.")
	for i := range d.Admission.PodSecurity {
		p := &d.Admission.PodSecurity[i]
		out.sample(p.Requests, "namespace", p.Namespace, "enforced", p.Enforced, "exempt", p.Exempt, "error", fmt.Sprint(p.Error))
	}
	out.metric("kubevet_audit_webhook_requests", "Requests for which a mutating webhook was called.")
	for _, w := range d.Admission.Webhooks {
		out.sample(w.Requests, "configuration", w.Configuration, "webhook", w.Webhook)
	}
	out.metric("kubevet_audit_webhook_mutated_requests", "Requests whose object a mutating webhook changed.")
	for _, w := range d.Admission.Webhooks {
		out.sample(w.Mutated, "configuration", w.Configuration, "webhook", w.Webhook)
	}
}

// exposition writes metrics in the Prometheus text format.
type exposition struct {
	w    io.Writer
	name string
	err  error
}

func (x *exposition) metric(name, help string) { x.header("gauge", name, help) }

// header writes the TYPE and HELP lines of a metric. kind is "gauge" or "counter".
func (x *exposition) header(kind, name, help string) {
	x.name = name
	x.printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one sample of the metric. labels are pairs of a name and a value.
func (x *exposition) sample(n int64, labels ...string) {
	var b strings.Builder
	for pair := range slices.Chunk(labels, 2) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(pair[0] + `="` + labelEscapes.Replace(quote.Name(pair[1])) + `"`)
	}
	if b.Len() > 0 {
		x.printf("%s{%s} %d\n", x.name, b.String(), n)
		return
	}
	x.printf("%s %d\n", x.name, n)
}

func (x *exposition) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

// labelEscapes escapes backslashes and quotation marks in a label's value. quote.Name has
// already escaped all other characters that the format forbids. Different values must stay
// different, because Prometheus rejects a file that has two equal samples.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
