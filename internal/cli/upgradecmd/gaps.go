package upgradecmd

import (
	"fmt"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// shortLog is the minimal time that logs must cover to contain daily jobs. It is an hour
// less than a day, because jobs do not run at exact times.
const shortLog = 23 * time.Hour

// auditGaps returns texts about what the audit logs cannot show. Without them, a user
// could take missing evidence for a good result.
func auditGaps(t *logtally.Report, sum *auditlog.Summary, from lifecycle.Minor) (gaps []string) {
	if sum.Events == 0 {
		return nil // this error is reported elsewhere
	}
	if t.Server != 0 && from != t.Server {
		gaps = append(gaps, fmt.Sprintf("the audit logs are of a server of %s, not %s: clients may have changed since, and what only %s serves is not in them", t.Server, from, from))
	}
	if span := time.Duration(t.Last-t.First) * time.Microsecond; t.First != 0 && span < shortLog {
		gaps = append(gaps, fmt.Sprintf("the audit logs cover only %s, so jobs that run once a day or less often are not in them", roundedDuration(span)))
	}
	var reads, writes int64
	for _, c := range t.Clients {
		reads += c.Reads
		writes += c.Creates + c.Updates + c.Patches + c.Deletes
	}
	switch {
	case writes > 0 && reads == 0:
		gaps = append(gaps, "the audit logs have no reads, perhaps because their policy leaves them out, so clients that only read old APIs are not in them")
	case reads > 0 && writes == 0:
		gaps = append(gaps, "the audit logs have no writes, perhaps because their policy leaves them out, so clients that only write old APIs are not in them")
	case sum.Lost[lostIndex(auditlog.LostReads)] > 0:
		gaps = append(gaps, "a part of the audit logs has only writes, so clients that only read old APIs are not in this part")
	}
	if sum.Levels[auditlog.LevelRequest]+sum.Levels[auditlog.LevelRequestResponse] == 0 {
		gaps = append(gaps, "the audit logs have no bodies (level Metadata), so the objects that clients send are not checked")
	}
	if n := t.Overflow.Clients + t.Overflow.Groups; n > 0 {
		gaps = append(gaps, fmt.Sprintf("too many different clients: %s counted together", report.Count(int(n), "request")))
	}
	return gaps
}

// lostIndex returns the index of l in auditlog.Summary.Lost.
func lostIndex(l auditlog.Lost) int {
	i := 0
	for ; l > 1; l >>= 1 {
		i++
	}
	return i
}

// roundedDuration formats a duration as one or two numbers with units, such as "2 hours".
func roundedDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return report.Count(int(d.Seconds()), "second")
	case d < time.Hour:
		return report.Count(int(d.Minutes()), "minute")
	}
	text := report.Count(int(d.Hours()), "hour")
	if m := int(d.Minutes()) % 60; m > 0 {
		text += " and " + report.Count(m, "minute")
	}
	return text
}
