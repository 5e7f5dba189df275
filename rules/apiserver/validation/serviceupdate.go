package validation

import "strings"

// serviceUpdate checks that an update does not change immutable fields: the first
// cluster IP and IP family, and the class of a load balancer. The cluster IP and
// IP family may change together with the type ExternalName. Fields that an update
// leaves out are copied from the stored service.
func (v *validator) serviceUpdate(spec node, ips []string) {
	old := root(v.req.Old).get("spec")
	before := clusterIPs(old)
	kind, oldKind := spec.strOr("type", "ClusterIP"), old.strOr("type", "ClusterIP")
	if kind != "ExternalName" && oldKind != "ExternalName" {
		if len(ips) > 0 && len(before) > 0 && ips[0] != before[0] {
			v.invalid(spec.get("clusterIPs").withPath(spec.p.child("clusterIPs").item(0)), v.stringList(ips), "may not change once set")
		}
		families, oldFamilies := spec.get("ipFamilies").texts(), old.get("ipFamilies").texts()
		if len(families) > 0 && len(oldFamilies) > 0 && families[0] != oldFamilies[0] {
			n := spec.get("ipFamilies")
			v.invalid(n.withPath(n.p.item(0)), v.familyList(families), "may not change once set")
		}
	}
	class := spec.get("loadBalancerClass")
	if kind == "LoadBalancer" && oldKind == "LoadBalancer" && class.text() != old.str("loadBalancerClass") && v.minor >= 22 {
		text := "null"
		if class.isSet() {
			text = v.typed(class.text())
		}
		v.invalid(class, text, "may not change once set")
	}
}

func (v *validator) familyList(families []string) string {
	return strings.Replace(v.stringList(families), "[]string", "[]core.IPFamily", 1)
}
