package conversion

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// autoscaler converts a HorizontalPodAutoscaler of v2beta1 to v2beta2 or v2.
// Source: k8s.io/kubernetes pkg/apis/autoscaling/v2beta1/conversion.go (1.23–1.25
// for v2, and 1.16–1.22 for v2beta2).
func autoscaler(d *draft, to destination) {
	metrics := Fields("spec", "metrics")
	for _, m := range d.objects(metrics) {
		for _, name := range []string{"resource", "containerResource"} {
			if source := m.Field(name); isMap(d.value(source)) {
				kind := "AverageValue"
				if d.has(source.Field("targetAverageUtilization")) {
					kind = "Utilization"
				}
				target := source.Field("target")
				d.set(target.Field("type"), text(kind), "")
				d.move(source.Field("targetAverageUtilization"), target.Field("averageUtilization"))
				d.move(source.Field("targetAverageValue"), target.Field("averageValue"))
				if !isEmpty(d.value(source.Field("container"))) {
					d.review("%s names a container, which servers lose when they convert v2beta1 (a mistake of theirs); the new object keeps it.", source)
				}
			}
		}
		if pods := m.Field("pods"); isMap(d.value(pods)) {
			metricName(d, pods, "selector")
			d.set(pods.Field("target", "type"), text("AverageValue"), "")
			d.move(pods.Field("targetAverageValue"), pods.Field("target", "averageValue"))
		}
		if on := m.Field("object"); isMap(d.value(on)) {
			kind := "Value"
			if d.has(on.Field("averageValue")) {
				kind = "AverageValue"
			}
			d.rename(on.Field("target"), "describedObject")
			metricName(d, on, "selector")
			d.set(on.Field("target", "type"), text(kind), "")
			d.move(on.Field("targetValue"), on.Field("target", "value"))
			d.move(on.Field("averageValue"), on.Field("target", "averageValue"))
		}
		if external := m.Field("external"); isMap(d.value(external)) {
			kind := "AverageValue"
			if d.has(external.Field("targetValue")) {
				kind = "Value"
			}
			metricName(d, external, "metricSelector")
			d.set(external.Field("target", "type"), text(kind), "")
			d.move(external.Field("targetValue"), external.Field("target", "value"))
			d.move(external.Field("targetAverageValue"), external.Field("target", "averageValue"))
		}
	}
	// The status differs, too, but servers ignore the status in requests.
	d.remove(Fields("status", "currentMetrics"))
	if to.apiVersion == "autoscaling/v2" {
		autoscalerAnnotations(d, to)
	}
}

func metricName(d *draft, source Path, selector string) {
	d.move(source.Field("metricName"), source.Field("metric", "name"))
	d.move(source.Field(selector), source.Field("metric", "selector"))
}

const roundTrip = "autoscaling.alpha.kubernetes.io/"

// autoscalerAnnotations removes the annotations in which older versions keep the
// fields of v2. In v2, servers drop these annotations.
func autoscalerAnnotations(d *draft, _ destination) {
	annotations := Fields("metadata", "annotations")
	for _, name := range []string{"metrics", "current-metrics", "conditions", "behavior"} {
		p := annotations.Field(roundTrip + name)
		if d.value(p) == nil {
			continue
		}
		if name == "behavior" && !d.has(Fields("spec", "behavior")) {
			d.review("The annotation %sbehavior carries the scaling behaviour for old versions, and is not read by the new one: write what it says into spec.behavior.", roundTrip)
		}
		d.remove(p)
		d.removeEmpty(annotations)
	}
}

// firstAutoscaler converts the HorizontalPodAutoscaler of extensions/v1beta1 to
// autoscaling/v1. Servers up to 1.5 had the old version.
func firstAutoscaler(d *draft, _ destination) {
	d.rename(Fields("spec", "scaleRef"), "scaleTargetRef")
	d.remove(Fields("spec", "scaleTargetRef", "subresource"))
	d.move(Fields("spec", "cpuUtilization", "targetPercentage"), Fields("spec", "targetCPUUtilizationPercentage"))
	d.remove(Fields("spec", "cpuUtilization"))
	if v := d.value(Fields("spec", "scaleTargetRef", "apiVersion")); v != nil && v.Kind == wire.String {
		d.note("spec.scaleTargetRef.apiVersion is %s: it must name the version in which the scaled object is served today.", v.Text)
	}
}
