package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// event makes the plan for an Event manual if the Event lacks fields that
// events.k8s.io/v1 requires, or has deprecated fields that it forbids. Source:
// ValidateEventCreate in k8s.io/kubernetes pkg/apis/core/validation/events.go
// (1.19–1.37).
func event(d *draft, _ destination) {
	var missing, extra []string
	for _, name := range []string{"eventTime", "reportingController", "reportingInstance", "action", "reason"} {
		if isEmpty(d.value(Fields(name))) {
			missing = append(missing, name)
		}
	}
	switch d.value(Fields("type")).StringOr("") {
	case "Normal", "Warning":
	default:
		missing = append(missing, "type (Normal or Warning)")
	}
	for _, name := range []string{"deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedCount", "deprecatedSource"} {
		v := d.value(Fields(name))
		if !isEmpty(v) && (v.Kind != wire.Map || len(v.Fields) > 0) {
			extra = append(extra, name)
		}
	}
	if series := Fields("series"); d.has(series) {
		if v := d.value(series.Field("count")); isEmpty(v) || v.Text == "1" {
			missing = append(missing, "series.count of at least 2")
		}
		if isEmpty(d.value(series.Field("lastObservedTime"))) {
			missing = append(missing, "series.lastObservedTime")
		}
	}
	if len(missing) > 0 {
		d.manual("Servers take no events/v1 Event without %s.", strings.Join(missing, ", "))
	}
	if len(extra) > 0 {
		d.manual("Servers take no events/v1 Event with %s: eventTime, series and reportingController say the same.", strings.Join(extra, ", "))
	}
}
