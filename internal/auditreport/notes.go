package auditreport

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
)

// inputNotes returns notes about inputs that were not read or were left out.
func (d *Document) inputNotes(o Options) []string {
	out := append([]string{}, o.Notes...)
	s := &d.Summary
	if s.Damaged > 0 {
		note := report.Count(s.Damaged, "damaged record") + " could not be read"
		if len(s.Damage) > 0 {
			x := &s.Damage[0]
			note += fmt.Sprintf(", the first at %s:%d:%d: %s", x.File, x.Line, x.Column, x.Text)
		}
		out = append(out, note)
	}
	for i, u := range s.Unreadable {
		if i == maxShortRows {
			out = append(out, report.Count(len(s.Unreadable)-maxShortRows, "more log")+" not read to the end")
			break
		}
		out = append(out, "not read completely: "+u.File+": "+u.Error)
	}
	if o.Filter != "" {
		out = append(out, fmt.Sprintf("filters left out %s (%s)", times(s.Filtered), o.Filter))
	}
	switch {
	case o.DeprecatedOnly:
		out = append(out, "only events that the server marked as deprecated were read")
	case o.Contention == nil && !o.AdmissionOnly:
		out = append(out, "fights were not looked for")
	}
	if n := d.Deprecated.Left; n > 0 {
		out = append(out, "--top left out "+report.Count(n, "row")+" of removed and deprecated APIs")
	}
	return out
}

// notes returns notes about facts that the logs cannot show.
func notes(r *tally.Report, sum *auditlog.Summary, o Options) []string {
	out := append([]string{}, notEvents(sum, o)...)
	events := max(sum.Events, 1)
	of := func(n int64) string {
		if n == events {
			return "all events"
		}
		return fmt.Sprintf("%d of %s", n, report.Count(sum.Events, "event"))
	}
	lost := func(bit auditlog.Lost, text string) {
		for i := range sum.Lost {
			if bit == 1<<i && sum.Lost[i] > 0 {
				out = append(out, of(sum.Lost[i])+" "+text)
			}
		}
	}
	lost(auditlog.LostQuery, "without a query string: whether these writes name a field manager, force or dry-run is not known")
	lost(auditlog.LostCode, "without an HTTP status: it is derived")
	lost(auditlog.LostGroups, "without groups and impersonation")
	lost(auditlog.LostReads, "from a log that has writes only: reads of old APIs are not in it")
	lost(auditlog.LostBodies, "without bodies, which were lost on the way")
	lost(auditlog.LostAnnotations, "without annotations: what is deprecated is derived from the path, deprecated versions of custom resources and what policies would deny are not known")
	lost(auditlog.LostTail, "cut off: what follows the cut is not known")
	lost(auditlog.LostMetadata, "with bodies without metadata")
	lost(auditlog.LostAgent, "without user agents and addresses: clients are distinguished by user only")
	lost(auditlog.LostPath, "without the version of the API that was asked for: whether it is deprecated is not known")
	lost(auditlog.LostTime, "without a time: --since and --until leave them out, and fights among them are not seen")
	lost(auditlog.LostImpersonation, "without impersonation: who acts as another user is not known")
	lost(auditlog.LostVersion, "without the versions of objects: whether a write builds on the last one, or changes nothing, is not known")
	lost(auditlog.LostFields, "without some fields that the server writes: a query or a log shipper left them out")
	lost(auditlog.LostSent, "from an admission webhook: each request is taken for one that succeeded, and its object has defaults, so it is not linted")
	lost(auditlog.LostUnmatched, "from alerts: requests that no rule matches are not in the log")
	out = append(out, admissionNotes(r, o)...)
	if bodies := sum.Levels[auditlog.LevelRequestResponse]; bodies == 0 && sum.Events > 0 && !o.DeprecatedOnly && !o.AdmissionOnly {
		out = append(out, "no event has the server's answer (level RequestResponse): writes that change nothing cannot be detected")
	}
	if r.OpenWatches > 0 {
		out = append(out, watches(r.OpenWatches)+" still open at the end: the server marks requests to deprecated APIs only when they end, so these are derived")
	}
	if sum.Events > 0 && sum.Levels[auditlog.LevelRequest]+sum.Levels[auditlog.LevelRequestResponse] > 0 && r.Server >= 31 && r.Server <= 36 {
		out = append(out, "servers of this version lose events of applies whose body is YAML and not JSON: absence is no proof")
	}
	if n := r.Overflow.Clients; n > 0 {
		out = append(out, fmt.Sprintf("too many different clients: %s of the last ones are counted together as %s", times(n), tally.OtherClients))
	}
	if n := r.Overflow.Groups; n > 0 {
		out = append(out, fmt.Sprintf("too many different groups: %s to old APIs counted without the objects", times(n)))
	}
	if n := r.Overflow.Refusals; n > 0 {
		out = append(out, fmt.Sprintf("too many refusals and conflicts: %d of them, beyond the first thousands, are not listed", n))
	}
	if n := r.Overflow.Objects; n > 0 {
		out = append(out, report.Count(n, "object")+" forgotten to bound memory: writes of these that change nothing may not be counted")
	}
	if c := o.Contention; c != nil {
		if c.Undecided > 0 {
			out = append(out, undecidedNote(c))
		}
		if c.Forgotten > 0 {
			out = append(out, report.Count(c.Forgotten, "write")+" forgotten to bound memory: fights among these are not seen")
		}
		if c.Unread > 0 {
			out = append(out, "the fields of "+report.Count(c.Unread, "write")+" not kept to bound memory")
		}
	}
	if n := r.Overflow.Forgotten; n > 0 {
		out = append(out, report.Count(n, "event")+" forgotten to bound memory: copies of these would be counted again")
	}
	return out
}

// notEvents returns notes about files without audit events.
func notEvents(sum *auditlog.Summary, o Options) (out []string) {
	var foreign int64
	for _, n := range sum.Foreign[:auditlog.ForeignControl] {
		foreign += n
	}
	if all := sum.Events + foreign; foreign*100 > all && sum.Events > 0 {
		out = append(out, fmt.Sprintf("%d of %d records are not audit events", foreign, all))
	}
	for i, text := range o.NoEvents {
		if i == maxShortRows {
			out = append(out, report.Count(len(o.NoEvents)-i, "more file")+" without an audit event")
			break
		}
		out = append(out, text)
	}
	return out
}
