package validation

import (
	"strings"
	"time"
	_ "time/tzdata" // the server's program includes time zones, too
)

// cronJob checks a CronJob. Source: ValidateCronJobCreate and
// ValidateCronJobUpdate.
func (v *validator) cronJob(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec, old := obj.get("spec"), root(v.req.Old).get("spec")
	zone := v.gated("CronJobTimeZone", spec.get("timeZone"))
	if schedule := spec.get("schedule"); schedule.text() == "" {
		v.declaredSince(37, func() { v.required(schedule, "") })
	} else {
		v.schedule(schedule, zone.isSet(), v.req.Old != nil && strings.Contains(old.str("schedule"), "TZ"))
	}
	v.nonnegative(spec.get("startingDeadlineSeconds"))
	if v.req.Old == nil || zone.text() != old.str("timeZone") || zone.isSet() != old.has("timeZone") {
		v.timeZone(zone)
	}
	if policy := spec.get("concurrencyPolicy"); policy.text() != "" {
		v.enum(policy, policy.text(), "Allow", "Forbid", "Replace")
	}
	job := spec.at("jobTemplate", "spec")
	v.jobSpec(job, false)
	if selector := job.get("selector"); selector.isSet() {
		v.invalid(selector, v.selector(selector), "`selector` will be auto-generated")
	}
	if manual := job.get("manualSelector"); manual.boolean() {
		v.unsupported(manual, "true", "nil", "false")
	}
	v.nonnegative(spec.get("successfulJobsHistoryLimit"))
	v.nonnegative(spec.get("failedJobsHistoryLimit"))
	if name := obj.at("metadata", "name"); v.req.Old == nil && len(name.text()) > 52 {
		v.invalidString(name, name.text(), []string{"must be no more than 52 characters"})
	}
}

// schedule checks the schedule of a CronJob. zone is set if spec.timeZone is set.
// Up to 1.28, the text of a schedule can begin with a time zone. Later it can only if
// allowed is set, because the stored schedule has a time zone. Source:
// validateScheduleFormat.
func (v *validator) schedule(n node, zone, allowed bool) {
	text := n.text()
	if wrong := scheduleError(text, v.minor); wrong != "" {
		v.invalidString(n, text, []string{wrong})
	}
	switch {
	case !strings.Contains(text, "TZ"):
	case v.minor >= 29 && !allowed:
		v.invalidString(n, text, []string{"cannot use TZ or CRON_TZ in schedule, use timeZone field instead"})
	case zone:
		v.invalidString(n, text, []string{"cannot use both timeZone field and TZ or CRON_TZ in schedule"})
	}
}

// timeZone checks the time zone of a CronJob. Source: validateTimeZone (since
// 1.24).
func (v *validator) timeZone(n node) {
	if !n.isSet() {
		return
	}
	name := n.text()
	refuse := func(detail string) { v.invalid(n, v.typed(name), detail) }
	if name == "" {
		refuse("timeZone must be nil or non-empty string")
		return
	}
	if v.minor >= 25 {
		for part := range strings.SplitSeq(name, "/") {
			isValid := len(part) <= 14 && everyByte(part, func(c byte) bool { return inAlphaNums.has(c) || strings.IndexByte(".-_+", c) >= 0 })
			if part == "." || part == ".." || strings.HasPrefix(part, "-") || !isValid {
				refuse("unknown time zone " + name)
				return
			}
		}
	}
	if strings.EqualFold(name, "Local") {
		refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")
	}
	if _, err := time.LoadLocation(name); err != nil {
		refuse(err.Error())
	}
}
