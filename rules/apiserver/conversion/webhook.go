package conversion

import (
	"slices"
	"strings"
)

// webhooks converts a webhook configuration of v1beta1 to v1. Source:
// k8s.io/kubernetes pkg/apis/admissionregistration/{v1beta1,v1}/defaults.go and
// validation/validation.go (1.16–1.37).
func webhooks(d *draft, _ destination) {
	hooks := Fields("webhooks")
	seen := map[string]bool{}
	var undeclared, repeated []string
	for _, hook := range d.objects(hooks) {
		name := d.value(hook.Field("name")).StringOr("")
		if seen[name] {
			if !slices.Contains(repeated, name) {
				repeated = append(repeated, name)
			}
		}
		seen[name] = true
		switch d.value(hook.Field("sideEffects")).StringOr("") {
		case "None", "NoneOnDryRun":
		default:
			if !slices.Contains(undeclared, name) {
				undeclared = append(undeclared, name)
			}
		}
		if d.length(hook.Field("admissionReviewVersions")) == 0 {
			d.set(hook.Field("admissionReviewVersions"), list(text("v1beta1")), "")
		}
		d.writeDefault(hook.Field("failurePolicy"), text("Ignore"), "")
		d.writeDefault(hook.Field("matchPolicy"), text("Exact"), "")
		d.writeDefault(hook.Field("timeoutSeconds"), number(30), "")
	}
	if len(undeclared) > 0 {
		d.manual("Version v1 takes only webhooks whose sideEffects are None or NoneOnDryRun, and what %s does besides answering only its author knows: write None if it changes nothing else, NoneOnDryRun if it changes nothing when request.dryRun is set (change it first if it does), then convert.",
			quotedList(undeclared))
	}
	if len(repeated) > 0 {
		d.manual("Version v1 wants each webhook's name once in a configuration: give another to the repeated %s.", quotedList(repeated))
	}
	d.note("Some defaults differ in v1, so those of v1beta1 are written out: failurePolicy Ignore, matchPolicy Exact, timeoutSeconds 30, admissionReviewVersions v1beta1. Think about Fail, Equivalent and a shorter timeout.")
}

// quotedList returns names as a list for a sentence.
func quotedList(names []string) string {
	const maxQuoted = 5
	var quoted []string
	for i, n := range names {
		if i == maxQuoted {
			quoted = append(quoted, "…")
			break
		}
		if n == "" {
			n = "a webhook without a name"
		}
		quoted = append(quoted, n)
	}
	return strings.Join(quoted, ", ")
}
