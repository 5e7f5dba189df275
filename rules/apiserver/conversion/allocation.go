package conversion

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Objects of dynamic resource allocation. Source: k8s.io/kubernetes
// pkg/apis/resource/{v1alpha3,v1beta1}/conversion.go (1.31–1.37).

// resourceClaim converts a ResourceClaim of v1alpha3 or v1beta1 to v1beta2 or v1.
func resourceClaim(d *draft, _ destination) { deviceRequests(d, Fields("spec")) }

func claimTemplate(d *draft, _ destination) { deviceRequests(d, Fields("spec", "spec")) }

// deviceRequests moves the fields of each device request into its field
// "exactly".
func deviceRequests(d *draft, spec Path) {
	all := spec.Field("devices", "requests")
	for _, at := range d.objects(all) {
		names := []string{"deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity", "derivedAttributes"}
		found := false
		for _, n := range names {
			v := d.value(at.Field(n))
			// A value of false and an empty list count as set, because the Go
			// fields are a pointer and a slice.
			found = found || !v.IsNull() && (v.Kind == wire.Bool || !isEmpty(v))
		}
		for _, n := range names {
			if found {
				d.move(at.Field(n), at.Field("exactly", n))
			} else {
				d.remove(at.Field(n))
			}
		}
	}
	if d.has(spec.Field("controller")) {
		d.review("spec.controller chose a control plane controller, which later versions do not have: it is left out.")
	}
	d.remove(spec.Field("controller"))
}

// deviceClass converts a DeviceClass of v1alpha3. In 1.31, v1alpha3 had the field
// suitableNodes.
func deviceClass(d *draft, _ destination) {
	if d.has(Fields("spec", "suitableNodes")) {
		d.review("spec.suitableNodes was for control plane controllers, which later versions do not have: it is left out.")
	}
	d.remove(Fields("spec", "suitableNodes"))
}

// taintRule converts a DeviceTaintRule of v1alpha3. Up to 1.34, a DeviceTaintRule
// could select devices by their class.
func taintRule(d *draft, _ destination) {
	selector := Fields("spec", "deviceSelector")
	for _, n := range []string{"deviceClassName", "selectors"} {
		if d.has(selector.Field(n)) {
			d.manual("%s chooses devices by what later versions cannot: without it the rule would taint more devices. Name them by driver, pool and device.", selector.Field(n))
		}
	}
}

// resourceSlice converts a ResourceSlice of v1beta1 to v1beta2 or v1.
func resourceSlice(d *draft, _ destination) {
	// The new version distinguishes an empty value from a missing field.
	for _, name := range []string{"nodeName", "allNodes"} {
		if p := Fields("spec", name); isEmpty(d.value(p)) {
			d.remove(p)
		}
	}
	devices := Fields("spec", "devices")
	for _, at := range d.objects(devices) {
		basic := at.Field("basic")
		v := d.value(basic)
		if !isMap(v) {
			d.remove(basic)
			continue
		}
		for _, f := range slices.Clone(v.Fields) {
			d.move(basic.Field(f.Name), at.Field(f.Name))
		}
		d.remove(basic)
	}
}

// alphaResourceSlice converts a ResourceSlice of v1alpha3 to v1beta1 or later. In
// v1alpha3 a capacity is a quantity; later it is an object.
func alphaResourceSlice(d *draft, to destination) {
	devices := Fields("spec", "devices")
	for i := range d.length(devices) {
		capacity := devices.Item(i).Field("basic", "capacity")
		v := d.value(capacity)
		if !isMap(v) {
			continue
		}
		for _, f := range slices.Clone(v.Fields) {
			if !f.Value.IsNull() && f.Value.Kind != wire.Map {
				d.set(capacity.Field(f.Name), object("value", f.Value), "")
			}
		}
	}
	if to.apiVersion != dynamic+"v1beta1" {
		resourceSlice(d, to)
	}
}
