package validation

import (
	"strconv"
	"strings"
)

// autoscaler checks a HorizontalPodAutoscaler, except the metrics of v2beta1,
// which have another form. Source: ValidateHorizontalPodAutoscaler in
// pkg/apis/autoscaling/validation, after the defaults and the conversion of
// autoscaling/v1.
func (v *validator) autoscaler(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	least, most := spec.get("minReplicas"), spec.get("maxReplicas")
	lowest := int64(1)
	if v.server.Enabled("HPAScaleToZero") || v.req.Old != nil && root(v.req.Old).get("spec").num("minReplicas", 1) == 0 {
		lowest = 0
	}
	if n, ok := least.number(); ok && n < lowest {
		v.declaredSince(37, func() { v.invalid(least, itoa(n), "must be greater than or equal to "+itoa(lowest)) })
	}
	limit, _ := most.number()
	if limit < 1 {
		v.declaredSince(37, func() {
			switch {
			case v.minor < 36:
				v.invalid(most, itoa(limit), "must be greater than 0")
			case limit == 0 && v.minor < 37:
				v.required(most, "must be set and greater than 0")
			case limit == 0:
				v.required(most, "")
			default:
				v.invalid(most, itoa(limit), "must be greater than or equal to 1")
			}
		})
	}
	if limit < spec.num("minReplicas", 1) {
		v.invalid(most, itoa(limit), "must be greater than or equal to `minReplicas`")
	}
	v.scaleTarget(spec.get("scaleTargetRef"))
	version := strings.TrimPrefix(v.req.APIVersion, "autoscaling/")
	switch version {
	case "v1":
		v.cpuTarget(spec)
	case "v2", "v2beta2":
		v.metrics(spec)
		for _, field := range []string{"scaleUp", "scaleDown"} {
			v.scalingRules(spec.at("behavior", field))
		}
	}
}

// scaleTarget checks the reference to the scaled object. From 1.34 on, it also checks
// the group and the version. Source: ValidateCrossVersionObjectReference.
func (v *validator) scaleTarget(ref node) {
	v.crossReference(ref, true)
	if v.minor < 34 {
		return
	}
	if v.req.Old != nil {
		old := root(v.req.Old).at("spec", "scaleTargetRef")
		if old.str("apiVersion") == ref.str("apiVersion") && old.str("kind") == ref.str("kind") {
			return
		}
	}
	v.referenceVersion(ref, ref.str("kind") == "ReplicationController")
}

func (v *validator) crossReference(ref node, target bool) {
	for _, field := range []string{"kind", "name"} {
		n := ref.get(field)
		switch {
		case n.text() != "":
			v.invalidString(n, n.text(), pathSegmentErrors(v.minor, n.text()))
		case target:
			v.declaredSince(37, func() { v.required(n, "") })
		default:
			v.required(n, "")
		}
	}
}

func (v *validator) referenceVersion(ref node, core bool) {
	n := ref.get("apiVersion")
	group, _, ok := groupVersion(n.text())
	switch {
	case !ok:
		v.invalidString(n, n.text(), []string{"unexpected GroupVersion string: " + n.text()})
	case group == "" && !core:
		v.invalidString(n, n.text(), []string{"apiVersion must specify API group"})
	}
}

// cpuTarget checks targetCPUUtilizationPercentage, a metric that is a field in
// autoscaling/v1.
func (v *validator) cpuTarget(spec node) {
	n := spec.get("targetCPUUtilizationPercentage")
	if percent, ok := n.number(); ok && percent < 1 {
		at := spec.p.child("metrics").item(0).child("resource").child("target").child("averageUtilization")
		v.invalid(n.withPath(at), itoa(percent), "must be greater than 0")
	}
	if spec.num("minReplicas", 1) == 0 {
		v.noScaleToZero(spec.get("metrics"))
	}
}

func (v *validator) noScaleToZero(n node) {
	v.forbidden(n, "must specify at least one Object or External metric to support scaling to zero replicas")
}

// metricSources are the types of metrics and the fields with their sources.
var metricSources = []struct{ kind, field string }{
	{"Object", "object"}, {"External", "external"}, {"Pods", "pods"}, {"Resource", "resource"}, {"ContainerResource", "containerResource"},
}

// metrics checks the metrics of a HorizontalPodAutoscaler. Source:
// validateMetrics.
func (v *validator) metrics(spec node) {
	list := spec.get("metrics")
	outside := false
	for _, m := range list.items {
		v.metric(m)
		outside = outside || m.str("type") == "Object" || m.str("type") == "External"
	}
	if spec.num("minReplicas", 1) == 0 && !outside {
		v.noScaleToZero(list)
	}
}

// metric checks one metric of a HorizontalPodAutoscaler. Source:
// validateMetricSpec.
func (v *validator) metric(m node) {
	kind := m.get("type")
	known := []string{"ContainerResource", "External", "Object", "Pods", "Resource"}
	if kind.text() == "" {
		v.required(kind, "must specify a metric source type")
	}
	v.enum(kind, kind.text(), known...)
	expected, found := "", []string{}
	for _, s := range metricSources {
		n := m.get(s.field)
		if s.field == "containerResource" {
			n = v.gated("HPAContainerMetrics", n)
		}
		if kind.text() == s.kind {
			expected = s.field
		}
		if !n.isSet() {
			continue
		}
		if found = append(found, s.field); len(found) == 1 {
			v.metricSource(n, s.field)
		}
	}
	missing := expected != ""
	for _, field := range found {
		missing = missing && field != expected
	}
	if missing {
		detail := "must populate information for the given metric source"
		if expected == "containerResource" && v.minor < 30 && !v.server.Enabled("HPAContainerMetrics") {
			detail += " (only allowed when HPAContainerMetrics feature is enabled)"
		}
		v.required(m.get(expected), detail)
	}
	if expected == "" {
		v.enum(kind, kind.text(), known...)
	}
	if len(found) == 1 {
		return
	}
	for _, field := range found {
		if field != expected {
			v.forbidden(m.get(field), "must populate the given metric source only")
		}
	}
}

// metricSource checks the source of a metric. field is the field with the source.
func (v *validator) metricSource(n node, field string) {
	target := n.get("target")
	value, average, utilization := target.get("value"), target.get("averageValue"), target.get("averageUtilization")
	switch field {
	case "object":
		ref := n.get("describedObject")
		v.crossReference(ref, false)
		if v.minor >= 34 {
			v.referenceVersion(ref, true)
		}
		v.metricName(n.get("metric"))
	case "external", "pods":
		v.metricName(n.get("metric"))
	case "resource", "containerResource":
		v.metricResource(n, field)
	}
	v.metricTarget(target)
	switch {
	case field == "object" && !value.isSet() && !average.isSet():
		v.required(average, "must set either a target value or averageValue")
	case field == "external" && !value.isSet() && !average.isSet():
		v.required(average, "must set either a target value for metric or a per-pod target")
	case field == "external" && value.isSet() && average.isSet():
		v.forbidden(value, "may not set both a target value for metric and a per-pod target")
	case field == "pods" && !average.isSet():
		v.required(average, "must specify a positive target averageValue")
	case field != "resource" && field != "containerResource":
	case !utilization.isSet() && !average.isSet():
		v.required(utilization, "must set either a target raw value or a target utilization")
	case utilization.isSet() && average.isSet():
		v.forbidden(average, "may not set both a target raw value and a target utilization")
	}
}

func (v *validator) metricName(n node) {
	if name := n.get("name"); name.text() == "" {
		v.required(name, "must specify a metric name")
	} else {
		v.invalidString(name, name.text(), pathSegmentErrors(v.minor, name.text()))
	}
}

func (v *validator) metricResource(n node, field string) {
	name, container := n.get("name"), n.get("container")
	switch {
	case name.text() == "":
		v.required(name, "must specify a resource name")
	case field == "containerResource":
		v.containerResource(name, name.text())
	}
	switch {
	case field != "containerResource":
	case container.text() == "":
		v.required(container, "must specify a container")
	default:
		v.dnsLabel(container, container.text())
	}
}

// metricTarget checks the target value of a metric. Source: validateMetricTarget.
func (v *validator) metricTarget(t node) {
	kind := t.get("type")
	if kind.text() == "" {
		v.required(kind, "must specify a metric target type")
	}
	switch kind.text() {
	case "Utilization", "Value", "AverageValue":
	default:
		v.invalid(kind, v.typed(kind.text()), "must be either Utilization, Value, or AverageValue")
	}
	for _, field := range []string{"value", "averageValue"} {
		if q, ok := quantity(t.get(field)); ok && q.Sign() <= 0 {
			v.invalid(t.get(field), v.quantityText(q), "must be positive")
			if v.minor < 34 {
				v.inexact()
			}
		}
	}
	utilization := t.get("averageUtilization")
	if n, ok := utilization.number(); ok && n < 1 {
		v.invalid(utilization, itoa(n), "must be greater than 0")
	}
}

// scalingRules checks the rules for scaling up or down. Unset policies have a
// default. Source: validateScalingRules.
func (v *validator) scalingRules(r node) {
	if !r.isSet() {
		return
	}
	window, selected, policies := r.get("stabilizationWindowSeconds"), r.get("selectPolicy"), r.get("policies")
	if n, ok := window.number(); ok && n < 0 {
		v.invalid(window, itoa(n), "must be greater than or equal to zero")
	} else if n > 3600 {
		v.invalid(window, itoa(n), "must be less than or equal to 3600")
	}
	if selected.isSet() {
		v.enum(selected, selected.text(), "Disabled", "Max", "Min")
	}
	if policies.isSet() && policies.length() == 0 {
		v.required(policies, "must specify at least one Policy")
	}
	for _, p := range policies.items {
		kind, value, period := p.get("type"), p.get("value"), p.get("periodSeconds")
		v.enum(kind, kind.text(), "Percent", "Pods")
		if n, _ := value.number(); n <= 0 {
			v.invalid(value, itoa(n), "must be greater than zero")
		}
		if n, _ := period.number(); n <= 0 {
			v.invalid(period, itoa(n), "must be greater than zero")
		} else if n > 1800 {
			v.invalid(period, itoa(n), "must be less than or equal to 1800")
		}
	}
	tolerance := v.gated("HPAConfigurableTolerance", v.since(33, r.get("tolerance")))
	if q, ok := quantity(tolerance); ok && q.Sign() < 0 {
		v.invalid(tolerance, strconv.Quote(q.String()), "must be greater than or equal to 0")
	}
}
