package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// specSelector returns a workload's selector. In versions before apps/v1beta2 its
// default is the labels of the pod template.
func (v *validator) specSelector(spec node) node {
	selector := spec.get("selector")
	if selector.isSet() || v.req.APIVersion != "extensions/v1beta1" && v.req.APIVersion != "apps/v1beta1" {
		return selector
	}
	labels := spec.v.At("template", "metadata", "labels")
	if isEmpty(labels) {
		return selector
	}
	selector.v = &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "matchLabels", Value: labels}}}
	return selector
}

// deployment checks a Deployment. Source: ValidateDeployment and
// ValidateDeploymentUpdate.
func (v *validator) deployment(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	selector := v.specSelector(spec)
	v.nonnegative(spec.get("replicas"))
	if v.selectorFor(selector, "deployment", "invalid label selector") {
		v.replicaTemplate(spec.get("template"), selector, spec.num("replicas", 1), "ReplicaSet")
	}
	v.deploymentStrategy(spec.get("strategy"))
	v.nonnegative(spec.get("minReadySeconds"))
	v.nonnegative(spec.get("revisionHistoryLimit"))
	if rollback := spec.get("rollbackTo"); rollback.isSet() && v.req.APIVersion != "apps/v1" {
		v.nonnegative(rollback.get("revision").withPath(spec.p.child("rollback").child("version")))
	}
	v.progressDeadline(spec)
	v.immutableSelector(obj)
}

// progressDeadline checks progressDeadlineSeconds, whose default is 600.
func (v *validator) progressDeadline(spec node) {
	n := spec.get("progressDeadlineSeconds")
	if !n.isSet() && v.req.APIVersion == "extensions/v1beta1" {
		return
	}
	deadline, ready := spec.num("progressDeadlineSeconds", 600), spec.num("minReadySeconds", 0)
	v.nonnegative(n)
	if deadline <= ready {
		v.invalid(n, itoa(deadline), "must be greater than minReadySeconds")
	}
}

// selectorFor checks a selector that is required and must not be empty. It
// reports whether the server can parse the selector.
func (v *validator) selectorFor(selector node, kind, unusable string) bool {
	if !selector.isSet() {
		v.required(selector, "")
	} else {
		v.labelSelector(selector)
		if isEmptySelector(selector) {
			v.invalid(selector, v.selector(selector), "empty selector is invalid for "+kind)
		}
	}
	if !v.isParsable(selector) {
		v.invalid(selector, v.selector(selector), unusable)
		return false
	}
	return true
}

// immutableSelector checks that an update does not change the selector. In the
// server, the strategies of apps/v1beta2 and later versions make this check.
func (v *validator) immutableSelector(obj node) {
	if v.req.Old == nil || v.req.APIVersion == "extensions/v1beta1" || v.req.APIVersion == "apps/v1beta1" {
		return
	}
	now := obj.at("spec", "selector")
	v.immutable(now, root(v.req.Old).at("spec", "selector"), v.selector(now))
}

// intOrPercent checks a number or percentage. Source:
// ValidatePositiveIntOrPercent and IsNotMoreThan100Percent.
func (v *validator) intOrPercent(n node) {
	if n.v != nil && n.v.Kind == wire.String {
		for _, m := range percentErrors(n.text()) {
			v.invalid(n, v.intOrString(n), m)
		}
		return
	}
	v.nonnegative(n)
}

func (v *validator) atMost100(n node) {
	if p, ok := percent(n); ok && p > 100 {
		v.invalid(n, v.intOrString(n), "must not be greater than 100%")
	}
}

func percent(n node) (int, bool) {
	if n.v == nil || n.v.Kind != wire.String || len(percentErrors(n.text())) > 0 {
		return 0, false
	}
	p, _ := strconv.Atoi(n.text()[:len(n.text())-1])
	return p, true
}

// intOrPercentValue returns the value of a number or percentage, or fallback if n
// is absent. Source: getIntOrPercentValue.
func intOrPercentValue(n node, fallback int) int {
	if p, ok := percent(n); ok {
		return p
	}
	if !n.isSet() {
		return fallback
	}
	if n.v.Kind == wire.String { // as (*IntOrString).IntValue
		i, _ := strconv.Atoi(n.text())
		return i
	}
	i, _ := n.number()
	return int(i)
}

// intOrString formats an IntOrString for an error.
func (v *validator) intOrString(n node) string {
	isString := n.v != nil && n.v.Kind == wire.String
	i, _ := n.number()
	switch {
	case v.minor >= 34 && isString:
		return jsonString(n.text())
	case v.minor >= 34:
		return itoa(i)
	case isString:
		return "intstr.IntOrString{Type:1, IntVal:0, StrVal:" + strconv.Quote(n.text()) + "}"
	}
	return "intstr.IntOrString{Type:0, IntVal:" + itoa(i) + `, StrVal:""}`
}

// deploymentStrategy checks the strategy of a Deployment. The default is a
// rolling update of a quarter of the pods, and of one pod in extensions/v1beta1.
// Source: ValidateDeploymentStrategy.
func (v *validator) deploymentStrategy(s node) {
	rolling := s.get("rollingUpdate")
	switch kind := s.strOr("type", "RollingUpdate"); kind {
	case "Recreate":
		if rolling.isSet() {
			v.forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'")
		}
	case "RollingUpdate":
		unavailable, surge := rolling.get("maxUnavailable"), rolling.get("maxSurge")
		v.intOrPercent(unavailable)
		v.intOrPercent(surge)
		if intOrPercentValue(unavailable, 25) == 0 && intOrPercentValue(surge, 25) == 0 {
			v.invalid(unavailable, v.intOrString(unavailable), "may not be 0 when `maxSurge` is 0")
		}
		v.atMost100(unavailable)
	default:
		v.strategyText(s, kind, "apps.DeploymentStrategy", "apps.RollingUpdateDeployment", "Recreate", "RollingUpdate")
	}
}

// strategyText adds the error about an unknown type of a strategy. The server's
// error contains the whole strategy.
func (v *validator) strategyText(s node, kind, typ, rollingType string, supported ...string) {
	rolling := s.get("rollingUpdate")
	text := typ + "{Type:" + strconv.Quote(kind) + ", RollingUpdate:(*" + rollingType + ")(nil)}"
	exact := !rolling.isSet()
	switch {
	case v.minor >= 34:
		inner := "null"
		if rolling.isSet() {
			inner = `{"MaxUnavailable":` + v.intOrString(rolling.get("maxUnavailable")) + `,"MaxSurge":` + v.intOrString(rolling.get("maxSurge")) + "}"
			exact = true
		}
		text = `{"Type":` + jsonString(kind) + `,"RollingUpdate":` + inner + "}"
	case rolling.isSet():
		text = typ + "{Type:" + strconv.Quote(kind) + ", RollingUpdate:(*" + rollingType + ")(0x0)}"
	}
	v.unsupported(s, text, supported...)
	if !exact {
		v.inexact()
	}
}

// replicaSet checks a ReplicaSet. Source: ValidateReplicaSet and
// ValidateReplicaSetUpdate.
func (v *validator) replicaSet(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	selector := v.specSelector(spec)
	v.nonnegative(spec.get("replicas"))
	v.nonnegative(spec.get("minReadySeconds"))
	if v.selectorFor(selector, "deployment", "invalid label selector") {
		v.replicaTemplate(spec.get("template"), selector, spec.num("replicas", 1), "ReplicaSet")
	}
	v.immutableSelector(obj)
}

// daemonSet checks a DaemonSet. Source: ValidateDaemonSet and
// ValidateDaemonSetUpdate.
func (v *validator) daemonSet(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	selector, template := v.specSelector(spec), spec.get("template")
	if v.req.Old != nil && v.minor >= 34 {
		v.immutableSelector(obj)
	}
	v.labelSelector(selector)
	if v.isParsable(selector) {
		v.templateMatches(template, selector)
	}
	if selector.isSet() && isEmptySelector(selector) {
		v.invalid(selector, v.selector(selector), "empty selector is invalid for daemonset")
	}
	v.template(template, nil)
	v.readOnlyDisks(template)
	v.alwaysRunning(template, "DaemonSet")
	v.nonnegative(spec.get("minReadySeconds"))
	if v.req.APIVersion == "extensions/v1beta1" {
		v.nonnegative(spec.get("templateGeneration"))
	}
	v.daemonSetStrategy(spec.get("updateStrategy"))
	v.nonnegative(spec.get("revisionHistoryLimit"))
	if v.minor < 34 {
		v.immutableSelector(obj)
	}
}

// daemonSetStrategy checks the update strategy of a DaemonSet. Source:
// ValidateDaemonSetUpdateStrategy.
func (v *validator) daemonSetStrategy(s node) {
	def := "RollingUpdate"
	if v.req.APIVersion == "extensions/v1beta1" {
		def = "OnDelete"
	}
	rolling := s.get("rollingUpdate")
	switch kind := s.strOr("type", def); kind {
	case "OnDelete":
	case "RollingUpdate":
		unavailable, surge := rolling.get("maxUnavailable"), rolling.get("maxSurge")
		if v.minor < 22 || v.minor < 25 && !v.server.Enabled("DaemonSetUpdateSurge") {
			v.intOrPercent(unavailable)
			if intOrPercentValue(unavailable, 1) == 0 {
				v.invalid(unavailable, v.intOrString(unavailable), "cannot be 0")
			}
			v.atMost100(unavailable)
			return
		}
		v.intOrPercent(unavailable)
		v.intOrPercent(surge)
		v.atMost100(unavailable)
		v.atMost100(surge)
		hasUnavailable, hasSurge := intOrPercentValue(unavailable, 1) != 0, intOrPercentValue(surge, 0) != 0
		switch {
		case hasUnavailable && hasSurge:
			v.invalid(surge, v.intOrString(surge), "may not be set when maxUnavailable is non-zero")
		case !hasUnavailable && !hasSurge:
			v.required(unavailable, "cannot be 0 when maxSurge is 0")
		}
	default:
		v.strategyText(s, kind, "apps.DaemonSetUpdateStrategy", "apps.RollingUpdateDaemonSet", "RollingUpdate", "OnDelete")
	}
}

// controllerName returns the function that checks the name of a
// ReplicationController. From 1.37 on, declarative validation checks the name, but
// nothing checks metadata.generateName.
func (v *validator) controllerName(obj node) nameRule {
	inBytes := func(m lifecycle.Minor, name string) []string {
		messages := subdomainErrors(m, name)
		for i, text := range messages {
			messages[i] = strings.Replace(text, "253 characters", "253 bytes", 1)
		}
		return messages
	}
	switch {
	case v.minor < 36:
		return subdomainErrors
	case v.minor == 36:
		return inBytes
	}
	if name := obj.at("metadata", "name"); v.req.Old == nil && name.text() != "" {
		v.declaredSince(37, func() { v.invalidString(name, name.text(), inBytes(v.minor, name.text())) })
	}
	return func(lifecycle.Minor, string) []string { return nil }
}

// replicationController checks a ReplicationController. The selector is a map of
// labels. Its default is the labels of the template. Source:
// ValidateReplicationController.
func (v *validator) replicationController(obj node) {
	v.metadata(v.defaultLabels(obj), true, v.controllerName(obj))
	spec := obj.get("spec")
	template, labels := spec.get("template"), spec.get("selector")
	if labels.length() == 0 {
		labels.v = spec.v.At("template", "metadata", "labels")
	}
	ready, replicas := spec.get("minReadySeconds"), spec.get("replicas")
	v.declaredSince(37, func() { v.nonnegative(ready) })
	if labels.length() == 0 {
		v.required(labels, "")
	}
	v.declaredSince(37, func() { v.nonnegative(replicas) })
	if !template.isSet() {
		v.required(template, "")
		return
	}
	if labels.length() > 0 {
		selector := labels
		selector.v = &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "matchLabels", Value: labels.v}}}
		v.templateMatches(template, selector)
	}
	v.template(template, nil)
	if spec.num("replicas", 1) > 1 {
		v.readOnlyDisks(template)
	}
	v.alwaysRunning(template, "ReplicationController")
}
