package validation

import "strings"

// budget checks a PodDisruptionBudget. If the spec is valid, it makes the checks of
// metadata that all kinds share. Source: ValidatePodDisruptionBudget in
// pkg/apis/policy/validation, which does not validate metadata.
func (v *validator) budget(obj node) {
	spec := obj.get("spec")
	least, most := spec.get("minAvailable"), spec.get("maxUnavailable")
	if least.isSet() && most.isSet() {
		v.invalid(spec, v.dump("policy.PodDisruptionBudgetSpec{…}", spec.v), "minAvailable and maxUnavailable cannot be both set")
		v.inexact()
	}
	for _, n := range []node{least, most} {
		if n.isSet() {
			v.intOrPercent(n)
			v.atMost100(n)
		}
	}
	v.labelSelector(spec.get("selector"))
	policy := v.gated("PDBUnhealthyPodEvictionPolicy", v.since(26, spec.get("unhealthyPodEvictionPolicy")))
	if policy.isSet() {
		v.enum(policy, policy.text(), "AlwaysAllow", "IfHealthyBudget")
	}
	if len(v.causes) == 0 {
		v.commonMetadata(obj, true, pathSegmentErrors)
	}
}

// systemClasses are the built-in priority classes and their values.
var systemClasses = map[string]int64{"system-node-critical": 2000001000, "system-cluster-critical": 2000000000}

// maxPriority is the highest value of a priority class that users may create.
const maxPriority = 1000000000

// priorityClass checks a PriorityClass. Source: ValidatePriorityClass in
// pkg/apis/scheduling/validation.
func (v *validator) priorityClass(obj node) {
	v.metadata(obj, false, subdomainErrors)
	name, value, policy := obj.at("metadata", "name"), obj.num("value", 0), obj.get("preemptionPolicy")
	if v.req.Old != nil {
		old := root(v.req.Old)
		if value != old.num("value", 0) {
			at := obj.get("value")
			if v.minor < 25 {
				at = obj.field("value", "Value")
			}
			v.forbidden(at, "may not be changed in an update.")
		}
		if now := obj.strOr("preemptionPolicy", "PreemptLowerPriority"); now != old.strOr("preemptionPolicy", "PreemptLowerPriority") {
			v.invalid(policy, v.typed(now), "field is immutable")
		}
		return
	}
	if strings.HasPrefix(name.text(), "system-") {
		v.systemClass(obj, name, value)
	} else if value > maxPriority {
		v.forbidden(obj.get("value"), "maximum allowed value of a user defined priority is "+itoa(maxPriority))
	}
	if policy.isSet() {
		v.preemptionPolicy(policy)
	}
}

func (v *validator) systemClass(obj, name node, value int64) {
	want, known := systemClasses[name.text()]
	detail := ""
	switch {
	case !known:
		detail = name.text() + " is not a known system priority class"
	case value != want:
		detail = "value of " + name.text() + " PriorityClass must be " + itoa(want)
	case obj.isTrue("globalDefault"):
		detail = "globalDefault of " + name.text() + " PriorityClass must be false"
	default:
		return
	}
	v.forbidden(name, "priority class names with 'system-' prefix are reserved for system use only. error: "+detail)
}

// preemptionPolicy checks the preemption policy of a PriorityClass. Source:
// ValidatePreemptionPolicy.
func (v *validator) preemptionPolicy(n node) {
	switch n.text() {
	case "PreemptLowerPriority", "Never":
	case "":
		v.required(n, "")
	default:
		v.unsupported(n, v.typed(n.text()), "PreemptLowerPriority", "Never")
	}
}

// runtimeClass checks a RuntimeClass. Source: ValidateRuntimeClass in
// pkg/apis/node/validation.
func (v *validator) runtimeClass(obj node) {
	v.commonMetadata(obj, false, subdomainErrors)
	handler := obj.get("handler")
	if strings.HasSuffix(v.req.APIVersion, "/v1alpha1") {
		handler = obj.get("spec").field("runtimeHandler", "handler")
		handler.p = (&path{}).child("handler")
	}
	v.declaredSince(37, func() {
		if handler.text() == "" && v.minor >= 36 {
			v.required(handler, "")
			return
		}
		for _, m := range labelErrors(v.minor, handler.text()) {
			v.invalidString(handler, handler.text(), []string{v.inBytes(m)})
		}
	})
	if v.req.Old != nil {
		if old := v.req.Old.Get("handler").StringOr(""); old != handler.text() {
			v.immutableString(handler, handler.text())
		}
	}
	if overhead := obj.get("overhead"); overhead.isSet() {
		fixed := overhead.get("podFixed").withPath(overhead.p.child("limits"))
		v.resourceLists(overhead.p, fixed, fixed.absent(), v.containerResource)
	}
	scheduling := obj.get("scheduling")
	v.labels(scheduling.get("nodeSelector"))
	tolerations := scheduling.get("tolerations")
	if v.minor < 35 {
		tolerations.p = tolerations.p.child("tolerations")
	}
	v.tolerations(tolerations)
}
