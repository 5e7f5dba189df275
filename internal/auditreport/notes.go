package auditreport

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/quote"
)

// notes describes what the logs cannot show.
func notes(r *tally.Report, sum *auditlog.Summary, o Options) []string {
	out := append([]string{}, unread(sum, o)...)
	events := max(sum.Events, 1)
	of := func(n int64) string {
		if n == events {
			return "all events"
		}
		return fmt.Sprintf("%d of %d events", n, sum.Events)
	}
	lost := func(bit auditlog.Lost, text string) {
		for i := range sum.Lost {
			if bit == 1<<i && sum.Lost[i] > 0 {
				out = append(out, of(sum.Lost[i])+" "+text)
			}
		}
	}
	lost(auditlog.LostQuery, "come from a log without query strings: whether their writes name a field manager, force or dry-run is not known")
	lost(auditlog.LostCode, "come from a log without HTTP statuses: these are derived")
	lost(auditlog.LostGroups, "come from a log without groups and impersonation")
	lost(auditlog.LostReads, "come from a log that has writes only: reads of old APIs are not in it")
	lost(auditlog.LostBodies, "have lost their bodies on the way")
	lost(auditlog.LostAnnotations, "have no annotations: what is deprecated is derived from the path, deprecated versions of custom resources and what policies would deny are not known")
	lost(auditlog.LostTail, "were cut off: what stood behind the cut is not known")
	lost(auditlog.LostMetadata, "have bodies without metadata")
	lost(auditlog.LostAgent, "come from a log without user agents and addresses: clients are told by their users")
	lost(auditlog.LostPath, "do not say which version of an API was asked for: whether it is deprecated is not known")
	lost(auditlog.LostTime, "have no time: --since and --until leave them out, and fights among them are not seen")
	lost(auditlog.LostImpersonation, "come from a log without impersonation: who acts as another user is not known")
	lost(auditlog.LostVersion, "come from a log without the versions of objects: whether a write builds on the last one, or changes nothing, is not known")
	lost(auditlog.LostFields, "lack fields that the server writes: a query or a log shipper left them out")
	lost(auditlog.LostSent, "are from an admission webhook: each request is taken for one that succeeded, and its object has defaults, so it is not linted")
	lost(auditlog.LostUnmatched, "are alerts: requests that no rule matches are not in the log")
	out = append(out, admissionNotes(r, o)...)
	if bodies := sum.Levels[auditlog.LevelRequestResponse]; bodies == 0 && sum.Events > 0 && !o.DeprecatedOnly && !o.AdmissionOnly {
		out = append(out, "no event has the server's answer (level RequestResponse): writes that change nothing cannot be told")
	}
	if r.OpenWatches > 0 {
		out = append(out, watches(r.OpenWatches)+" had not ended: the server marks requests to deprecated APIs only at their end, so these are derived")
	}
	if sum.Events > 0 && sum.Levels[auditlog.LevelRequest]+sum.Levels[auditlog.LevelRequestResponse] > 0 && r.Server >= 31 && r.Server <= 36 {
		out = append(out, "servers of this version lose events of applies whose body is YAML and not JSON: absence is no proof")
	}
	if n := r.Overflow.Clients; n > 0 {
		out = append(out, fmt.Sprintf("too many different clients: %d requests of the last ones are counted together as %s", n, tally.OtherClients))
	}
	if n := r.Overflow.Groups; n > 0 {
		out = append(out, fmt.Sprintf("too many different groups: %d requests to old APIs are counted without their objects", n))
	}
	if n := r.Overflow.Refusals; n > 0 {
		out = append(out, fmt.Sprintf("%d refusals and conflicts beyond the first thousands are not listed", n))
	}
	if c := o.Contention; c != nil {
		if c.Undecided > 0 {
			out = append(out, fmt.Sprintf("several writers take turns on %d objects in a way that this log cannot tell from a fight: each reads the object before it updates it (level Request or RequestResponse would tell)", c.Undecided))
		}
		if c.Forgotten > 0 {
			out = append(out, fmt.Sprintf("%d writes were forgotten to bound memory: fights among them are not seen", c.Forgotten))
		}
		if c.Unread > 0 {
			out = append(out, fmt.Sprintf("the fields of %d writes were not kept to bound memory", c.Unread))
		}
	}
	if n := r.Overflow.Forgotten; n > 0 {
		out = append(out, fmt.Sprintf("%d events were forgotten to bound memory: copies of those would be counted again", n))
	}
	return out
}

// unread describes what was not read as audit events.
func unread(sum *auditlog.Summary, o Options) (out []string) {
	for i, f := range sum.Failed {
		if i == shown {
			out = append(out, fmt.Sprintf("%d more inputs could not be read completely", len(sum.Failed)-i))
			break
		}
		out = append(out, fmt.Sprintf("%s: %v", quote.Name(f.Input), f.Err))
	}
	if sum.Damaged > 0 {
		out = append(out, fmt.Sprintf("%d records could not be read: requests may be missing", sum.Damaged))
	}
	var foreign int64
	for _, n := range sum.Foreign[:auditlog.ForeignControl] {
		foreign += n
	}
	if all := sum.Events + foreign; foreign*100 > all && sum.Events > 0 {
		out = append(out, fmt.Sprintf("%d of %d records are not audit events", foreign, all))
	}
	for i, text := range o.NoEvents {
		if i == shown {
			out = append(out, fmt.Sprintf("%d more files in directories hold no audit event", len(o.NoEvents)-i))
			break
		}
		out = append(out, text)
	}
	return out
}
