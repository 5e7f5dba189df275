package validation

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

// podResources checks spec.resources of a pod. It does not check the defaults that
// the server derives from the containers, because they are always valid. Source:
// validatePodResources (since 1.32).
func (v *validator) podResources(spec node) {
	r := v.gated("PodLevelResources", spec.get("resources"))
	if !r.isSet() {
		return
	}
	if v.minor >= 34 && spec.at("os").str("name") == "windows" {
		v.forbidden(r, "may not be set for a windows pod")
		return
	}
	if claims := r.get("claims"); claims.isSet() {
		detail := "claims may not be set for Resources at pod-level"
		if v.minor < 34 {
			detail = "claims cannot be set for Resources at pod-level"
		}
		v.forbidden(claims, detail)
	}
	v.resourceLists(r.p, r.get("limits"), r.get("requests"), v.podResource)
	v.podRequests(spec, r)
	v.claimNames(r.get("claims"))
	v.podConsistency(spec, r)
}

// podResource checks the name of a resource of a pod. Source:
// validatePodResourceName.
func (v *validator) podResource(n node, name string) {
	if v.resourceName(n, name) && name != "cpu" && name != "memory" && !isHugePage(name) {
		v.unsupported(n, v.typed(name), "cpu", "hugepages-", "memory")
	}
}

// podConsistency checks that the resources of a pod agree with the resources of
// its containers. Source: validatePodResourceConsistency.
func (v *validator) podConsistency(spec, r node) {
	requests, limits := r.get("requests"), r.get("limits")
	total := v.aggregate(spec, "requests")
	for _, name := range total.order {
		pod, ok := quantity(requests.get(name))
		if !ok && (v.minor >= 34 || v.pod.isPod) {
			continue
		}
		if sum := total.byName[name]; sum.Cmp(pod) > 0 {
			v.invalid(requests.get(name).withPath(requests.p.key(name)), strconv.Quote(pod.String()), "must be greater than or equal to aggregate container requests of "+sum.String())
		}
	}
	if v.minor >= 34 {
		total = v.aggregate(spec, "limits")
		for _, name := range total.order {
			pod, ok := quantity(limits.get(name))
			if sum := total.byName[name]; ok && isHugePage(name) && sum.Cmp(pod) > 0 {
				v.invalid(limits.get(name).withPath(limits.p.key(name)), strconv.Quote(pod.String()), "must be greater than or equal to aggregate container limits of "+sum.String())
			}
		}
	}
	for i, c := range spec.get("containers").items {
		for name, value := range c.at("resources", "limits").entries {
			limit, _ := quantity(value)
			if pod, ok := quantity(limits.get(name)); ok && limit.Cmp(pod) > 0 {
				at := value.withPath(r.p.child("containers").item(i).key(name).child("limits"))
				v.invalid(at, strconv.Quote(limit.String()), "must be less than or equal to pod limits of "+pod.String())
			}
		}
	}
}

// sums are quantities by name.
type sums struct {
	byName map[string]resource.Quantity
	order  []string
}

// podRequests checks the requests that a pod without own requests gets from its
// containers. They must not exceed the pod's limit.
func (v *validator) podRequests(spec, r node) {
	limits, requests := r.get("limits"), r.get("requests")
	if !v.pod.isPod || limits.length() == 0 {
		return
	}
	all := v.aggregate(spec, "requests").byName
	for key, value := range limits.entries {
		limit, sum := listedQuantity(value), all[key]
		if requests.v.Get(key) == nil && isOvercommitAllowed(key) && sum.Cmp(limit) > 0 {
			v.invalid(value.withPath(requests.p), strconv.Quote(sum.String()), "must be less than or equal to "+key+" limit of "+limit.String())
		}
	}
}

// aggregate adds up the requests or limits of all containers. Sidecars run at the
// same time as other containers. Source: AggregateContainerRequests and
// AggregateContainerLimits in k8s.io/component-helpers/resource.
func (v *validator) aggregate(spec node, field string) sums {
	total := sums{byName: map[string]resource.Quantity{}}
	put := func(name string, q resource.Quantity) {
		if _, ok := total.byName[name]; !ok {
			total.order = append(total.order, name)
		}
		total.byName[name] = q
	}
	add := func(c node) {
		for name, q := range v.listOf(c, field) {
			sum := total.byName[name].DeepCopy()
			sum.Add(q)
			put(name, sum)
		}
	}
	for _, c := range spec.get("containers").items {
		add(c)
	}
	sidecars := map[string]resource.Quantity{}
	peak := map[string]resource.Quantity{}
	for _, c := range spec.get("initContainers").items {
		list := v.listOf(c, field)
		if c.str("restartPolicy") == "Always" {
			add(c)
			for name, q := range list {
				sum := sidecars[name].DeepCopy()
				sum.Add(q)
				sidecars[name] = sum
			}
			list = sidecars
		} else {
			for name, q := range sidecars {
				sum := list[name].DeepCopy()
				sum.Add(q)
				list[name] = sum
			}
		}
		for name, q := range list {
			if p, ok := peak[name]; !ok || q.Cmp(p) > 0 {
				peak[name] = q
			}
		}
	}
	for name, q := range peak {
		if sum, ok := total.byName[name]; !ok || q.Cmp(sum) > 0 {
			put(name, q)
		}
	}
	slices.Sort(total.order)
	return total
}

// listOf returns the requests or limits of a container by name. In a pod, but not
// in a template, requests default to the limits.
func (v *validator) listOf(c node, field string) map[string]resource.Quantity {
	list := map[string]resource.Quantity{}
	read := func(field string) {
		for name, value := range c.at("resources", field).entries {
			list[name] = listedQuantity(value)
		}
	}
	if field == "requests" && v.pod.isPod {
		read("limits")
	}
	read(field)
	return list
}
