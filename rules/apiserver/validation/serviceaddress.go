package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
)

// addressFields checks the fields of cluster IPs and IP families. Source:
// ValidateServiceClusterIPsRelatedFields.
func (v *validator) addressFields(spec node, ips []string) {
	list, ip, families := spec.get("clusterIPs"), spec.str("clusterIP"), spec.get("ipFamilies")
	switch {
	case ip != "" && len(ips) > 0 && ips[0] != ip:
		v.invalid(list, v.stringList(ips), "first value must match `clusterIP`")
	case ip == "" && len(ips) > 0:
		v.invalid(list, v.stringList(ips), "must be empty when `clusterIP` is not specified")
	}
	seen := newNames(families.length())
	for _, f := range families.items {
		v.enum(f, f.text(), "IPv4", "IPv6")
		if !seen.add(f.text()) {
			v.duplicate(f, v.typed(f.text()))
		}
	}
	if policy := spec.get("ipFamilyPolicy"); policy.isSet() {
		v.enum(policy, policy.text(), "PreferDualStack", "RequireDualStack", "SingleStack")
	}
	before := len(v.causes)
	for i := range ips {
		item := node{v: list.v, owner: list.owner, p: list.p.item(i)}
		if list.length() > i {
			item = list.item(i)
		} else {
			item.v = spec.v.Get("clusterIP")
		}
		if i == 0 && ips[0] == "None" {
			if len(ips) > 1 {
				v.invalid(list, v.stringList(ips), "'None' must be the first and only value")
			}
			continue
		}
		v.legacyIP(item, v.oldTexts("spec", "clusterIPs")...)
	}
	hasErrors := len(v.causes) > before
	if len(ips) > 2 {
		v.invalid(list, v.stringList(ips), "may only hold up to 2 values")
	}
	if hasErrors || len(ips) == 0 || ips[0] == "None" {
		return
	}
	if len(ips) > 1 && !bothFamilies(ips) {
		v.invalid(list, v.stringList(ips), "may specify no more than one IP for each IP family")
	}
	for i, f := range families.items {
		if i >= len(ips) {
			break
		}
		if six := isIPv6(ips[i]); f.text() == "IPv4" && six || f.text() == "IPv6" && !six {
			v.invalid(list.withPath(list.p.item(i)), strconv.Quote(ips[i]), "expected an "+f.text()+" value as indicated by `ipFamilies["+strconv.Itoa(i)+"]`")
		}
	}
}

// tooManyFamilies adds the allocator's errors if a new service with the policy
// SingleStack has two cluster IPs or two IP families. It reports whether it added an
// error.
func (v *validator) tooManyFamilies(spec node, ips []string) bool {
	policy := spec.get("ipFamilyPolicy")
	headless := len(ips) == 1 && ips[0] == "None" && spec.get("selector").length() == 0
	if single := policy.text() == "SingleStack" || !policy.isSet() && !headless; !single {
		return false
	}
	before := len(v.causes)
	if len(ips) == 2 {
		v.invalid(policy, v.typed("SingleStack"), "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified")
	}
	if spec.get("ipFamilies").length() == 2 {
		v.invalid(policy, v.typed("SingleStack"), "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified")
	}
	return len(v.causes) > before
}

func isIPv6(s string) bool {
	ip, ok := netvalue.ParseIP(s)
	return ok && ip.Is6() && !ip.Is4In6()
}

// bothFamilies reports whether addresses include IPv4 and IPv6. Source:
// IsDualStackIPStrings.
func bothFamilies(ips []string) bool {
	four, six := false, false
	for _, ip := range ips {
		if isIPv6(ip) {
			six = true
		} else {
			four = true
		}
	}
	return four && six
}

// sourceRanges checks spec.loadBalancerSourceRanges. If the list is empty, it
// checks the annotation that older clients set instead.
func (v *validator) sourceRanges(obj, spec node, kind string) {
	const key = "service.beta.kubernetes.io/load-balancer-source-ranges"
	list := spec.field("loadBalancerSourceRanges", "LoadBalancerSourceRanges")
	annotations := obj.at("metadata", "annotations")
	annotation := annotations.get(key).withPath(annotations.p.key(key))
	at, ranges := list, list.texts()
	switch {
	case list.length() > 0:
	case annotation.v != nil:
		at = annotation
		if text := strings.TrimSpace(annotation.text()); text != "" {
			ranges = strings.Split(text, ",")
		}
	default:
		return
	}
	if kind != "LoadBalancer" {
		v.forbidden(at, "may only be used when `type` is 'LoadBalancer'")
	}
	value := "[" + strings.Join(ranges, " ") + "]"
	if at.p == annotation.p {
		value = annotation.text()
		if v.req.Old != nil && v.minor >= 33 && root(v.req.Old).at("metadata", "annotations").str(key) == value {
			return
		}
	}
	old := v.oldTexts("spec", "loadBalancerSourceRanges")
	for i, text := range ranges {
		text = strings.TrimSpace(text)
		if v.minor >= 30 {
			item := at
			if at.p == list.p {
				item = list.item(i)
			}
			v.legacyCIDR(item, text, old...)
			continue
		}
		if _, _, ok := netvalue.ParseCIDR(text); !ok {
			v.invalidString(at, value, []string{"must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 "})
			return
		}
	}
}

// endpointIP checks the address of an endpoint. Source: ValidateEndpointIP, and
// ValidateNonSpecialIP before 1.33.
func (v *validator) endpointIP(n node) {
	ip, ok := netvalue.ParseIP(n.text())
	if !ok {
		v.invalidString(n, n.text(), []string{"must be a valid IP address"})
		return
	}
	addError := func(detail string) { v.invalidString(n, n.text(), []string{detail}) }
	if ip.IsUnspecified() {
		addError("may not be unspecified (" + n.text() + ")")
	}
	if ip.IsLoopback() {
		addError("may not be in the loopback range (127.0.0.0/8, ::1/128)")
	}
	if ip.IsLinkLocalUnicast() {
		addError("may not be in the link-local range (169.254.0.0/16, fe80::/10)")
	}
	if ip.IsLinkLocalMulticast() {
		addError("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")
	}
}
