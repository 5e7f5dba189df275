package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// podUpdate checks that an update does not change immutable fields of a pod. The
// text is inexact, because the server's text contains a diff of the specs.
// Source: ValidatePodUpdate without ValidatePod.
func (v *validator) podUpdate(obj node) {
	spec, old := obj.get("spec"), root(v.req.Old).get("spec")
	v.appArmorUpdates(obj)
	for _, field := range []string{"containers", "initContainers"} {
		list := spec.get(field)
		if list.length() != old.get(field).length() {
			v.forbidden(list, "pod updates may not add or remove containers")
			return
		}
		for _, c := range list.items {
			if image := c.get("image"); image.text() == "" {
				v.required(image, "")
			}
		}
	}
	deadline := spec.get("activeDeadlineSeconds")
	now, isSet := deadline.number()
	switch before, wasSet := old.get("activeDeadlineSeconds").number(); {
	case isSet && wasSet && before < now:
		v.invalid(deadline, itoa(now), "must be less than or equal to previous value")
		return
	case wasSet && !isSet:
		v.invalid(deadline, "null", "must not update from a positive integer to nil value")
	}
	report := func() {
		v.forbidden(spec, "pod updates may not change fields other than "+v.updatable()+"\n…")
		v.inexact()
	}
	if v.lifecycleChanged(spec) {
		v.aboutHook(report)
	} else if v.podChanged(spec, old) {
		report()
	}
}

// updatable returns the list of mutable fields in the minor's error.
func (v *validator) updatable() string {
	const (
		grace      = "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
		toleration = "`spec.tolerations` (only additions to existing tolerations)"
	)
	fields := []string{"`spec.containers[*].image`", "`spec.initContainers[*].image`", "`spec.activeDeadlineSeconds`"}
	switch {
	case v.minor < 22:
		return strings.Join(fields, ", ") + " or " + toleration
	case v.minor < 27:
		return strings.Join(append(fields, toleration), ", ") + " or " + grace
	}
	fields = append(fields, toleration, grace)
	if v.minor < 32 && v.server.Enabled("InPlacePodVerticalScaling") {
		fields = append(fields, "`spec.containers[*].resources` (for CPU/memory only)")
	}
	return strings.Join(fields, ",")
}

// mutableFields are the fields of a pod spec that have their own checks on
// update. Some may change only while the pod has scheduling gates.
var mutableFields = []string{"activeDeadlineSeconds", "tolerations", "schedulingGates", "terminationGracePeriodSeconds", "nodeSelector", "affinity", "ephemeralContainers"}

// optionallySet are the fields that defaults or admission plugins may set in the
// stored pod. If only one of the two specs has such a field, the server sees no
// change.
var optionallySet = []string{
	"apiVersion", "automountServiceAccountToken", "defaultMode", "divisor", "dnsPolicy", "enableServiceLinks", "failureThreshold",
	"host", "hostIP", "hostPort", "imagePullPolicy", "imagePullSecrets", "nodeName", "optional", "overhead", "path", "periodSeconds",
	"preemptionPolicy", "priority", "priorityClassName", "procMount", "protocol", "resources", "restartPolicy", "runtimeClassName",
	"schedulerName", "scheme", "serviceAccount", "serviceAccountName", "successThreshold", "terminationMessagePath",
	"terminationMessagePolicy", "timeoutSeconds", "type", "volumeMounts", "volumes",
}

// podChanged reports whether a field outside of mutableFields changes.
func (v *validator) podChanged(spec, old node) bool {
	return differs(spec.v, old.v, "", mutableFields...)
}

// differs reports whether two values of a field differ, except in the fields in
// except.
func differs(a, b *wire.Value, field string, except ...string) bool {
	if isZero(a) || isZero(b) {
		return isZero(a) != isZero(b) && !slices.Contains(optionallySet, field)
	}
	if a.Kind != b.Kind {
		return true
	}
	switch a.Kind {
	case wire.Map:
		values := make(map[string]*wire.Value, len(b.Fields))
		for i := range b.Fields {
			values[b.Fields[i].Name] = b.Fields[i].Value
		}
		for i := range a.Fields {
			name := a.Fields[i].Name
			if !slices.Contains(except, name) && differs(a.Fields[i].Value, values[name], name, "image") {
				return true
			}
			delete(values, name)
		}
		for name, value := range values {
			if !slices.Contains(except, name) && differs(nil, value, name) {
				return true
			}
		}
		return false
	case wire.List:
		if len(a.Items) != len(b.Items) {
			return !slices.Contains(optionallySet, field)
		}
		for i := range a.Items {
			if differs(a.Items[i], b.Items[i], field, "image") {
				return true
			}
		}
		return false
	}
	x, errX := resource.ParseQuantity(a.Text)
	y, errY := resource.ParseQuantity(b.Text)
	if errX == nil && errY == nil {
		return x.Cmp(y) != 0 // 1k equals 1000
	}
	return a.Text != b.Text
}

// isZero reports whether the server treats a value like an absent field.
func isZero(v *wire.Value) bool {
	if isEmpty(v) {
		return true
	}
	switch v.Kind {
	case wire.Map:
		for i := range v.Fields {
			if !isZero(v.Fields[i].Value) {
				return false
			}
		}
		return true
	case wire.List:
		return false
	}
	return v.Text == "" || v.Text == "0" || v.Text == "false"
}
