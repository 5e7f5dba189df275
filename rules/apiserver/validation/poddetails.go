package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
)

// legacyIP checks the text of an IP address. From 1.33 on, the values in old, of
// the stored object, are not checked again. Source: IsValidIPForLegacyField and
// the functions before it.
func (v *validator) legacyIP(n node, old ...string) {
	ip := n.text()
	for _, o := range old {
		if o == ip && v.minor >= 33 {
			return
		}
	}
	if text := netvalue.IPError(v.minor, ip, v.minor >= 33 && v.server.Enabled(netvalue.StrictGate)); text != "" {
		v.invalidString(n, ip, []string{text})
	}
}

// legacyCIDR checks the text of a CIDR value (since 1.30). From 1.33 on, the
// values in old, of the stored object, are not checked again. Source:
// IsValidCIDRForLegacyField.
func (v *validator) legacyCIDR(n node, value string, old ...string) {
	for _, o := range old {
		if o == value && v.minor >= 33 {
			return
		}
	}
	if text := netvalue.CIDRError(value, v.minor >= 33 && v.server.Enabled(netvalue.StrictGate)); text != "" {
		v.invalidString(n, value, []string{text})
	}
}

// ipBefore130 checks an IP address of a pod as servers up to 1.29 do. Later
// servers have another error text.
func (v *validator) ipBefore130(n node) {
	if _, ok := netvalue.ParseIP(n.text()); !ok {
		v.invalidString(n, n.text(), []string{"must be valid IP address"})
	}
}

// hostAliases checks the host aliases of a pod. Up to 1.29, paths do not have the
// index. Source: ValidateHostAliases.
func (v *validator) hostAliases(list node) {
	for _, a := range list.items {
		ip := a.get("ip")
		if v.minor >= 30 {
			v.legacyIP(ip)
		} else {
			v.ipBefore130(ip.withPath(list.p.child("ip")))
		}
		for _, h := range a.get("hostnames").items {
			if v.minor < 30 {
				h = h.withPath(list.p.child("hostnames"))
			}
			v.dnsSubdomain(h, h.text())
		}
	}
}

// dnsConfig checks the DNS configuration of a pod. Source: validatePodDNSConfig.
func (v *validator) dnsConfig(spec node) {
	c := spec.get("dnsConfig")
	servers, searches := c.get("nameservers"), c.get("searches")
	if spec.str("dnsPolicy") == "None" {
		if !c.isSet() {
			v.required(c, "must provide `dnsConfig` when `dnsPolicy` is None")
			return
		}
		if servers.length() == 0 {
			v.required(servers, "must provide at least one DNS nameserver when `dnsPolicy` is None")
			return
		}
	}
	if servers.length() > 3 {
		v.invalid(servers, v.stringList(servers.texts()), "must not have more than 3 nameservers")
	}
	for _, s := range servers.items {
		if v.minor >= 30 {
			v.legacyIP(s)
		} else {
			v.ipBefore130(s)
		}
	}
	paths, chars := 32, 2048
	if v.minor <= 21 || v.minor <= 27 && !v.server.Enabled("ExpandedDNSConfig") {
		paths, chars = 6, 256
	}
	if searches.length() > paths {
		v.invalid(searches, v.stringList(searches.texts()), "must not have more than "+strconv.Itoa(paths)+" search paths")
	}
	if len(strings.Join(searches.texts(), " ")) > chars {
		v.invalid(searches, v.stringList(searches.texts()), "must not have more than "+strconv.Itoa(chars)+" characters (including spaces) in the search list")
	}
	relaxed := v.minor >= 32 && (v.minor >= 37 || v.server.Enabled("RelaxedDNSSearchValidation"))
	for _, s := range searches.items {
		name := strings.TrimSuffix(s.text(), ".")
		switch {
		case relaxed && s.text() != ".":
			v.invalidString(s, name, underscoreErrors(v.minor, name))
		case !relaxed:
			v.dnsSubdomain(s, name)
		}
	}
	for _, o := range c.get("options").items {
		if o.str("name") == "" {
			v.required(o, "must not be empty")
		}
	}
}

// schedulingGates checks the scheduling gates of a pod. Source:
// validateSchedulingGates (since 1.26).
func (v *validator) schedulingGates(list node) {
	seen := newNames(list.length())
	for _, g := range list.items {
		name := g.str("name")
		v.qualifiedName(g, name, name)
		if !seen.add(name) {
			v.duplicate(g, strconv.Quote(name))
		}
	}
}

// hostUsersDeps checks the fields that a pod with hostUsers false cannot have.
// Source: validateHostUsers (since 1.25).
func (v *validator) hostUsersDeps(spec node) {
	if v.minor < 25 || v.pod.hostUsers {
		return
	}
	if v.minor <= 27 {
		for _, volume := range spec.get("volumes").items {
			switch {
			case volume.has("emptyDir"), volume.has("secret"), volume.has("downwardAPI"), volume.has("configMap"), volume.has("projected"), v.hasNoSource(volume):
			default:
				v.forbidden(volume, "volume type not supported when `pod.Spec.HostUsers` is false")
			}
		}
	}
	when := "when `pod.Spec.HostUsers` is false"
	if v.minor >= 34 {
		when = "when `hostUsers` is false"
	}
	if v.pod.hostNetwork && (v.minor < 35 || !v.server.Enabled("UserNamespacesHostNetworkSupport")) {
		v.forbidden(spec.get("hostNetwork"), when)
	}
	if spec.isTrue("hostPID") {
		v.forbidden(spec.field("hostPID", "HostPID"), when)
	}
	if spec.isTrue("hostIPC") {
		v.forbidden(spec.field("hostIPC", "HostIPC"), when)
	}
	if v.minor >= 34 {
		for c := range v.allContainers(spec) {
			if devices := c.get("volumeDevices"); devices.length() > 0 {
				v.forbidden(devices, when)
			}
		}
	}
}

// hostnameOverride checks the hostname override of a pod. Source:
// validatePodHostName (since 1.34).
func (v *validator) hostnameOverride(spec node) {
	n := v.gated("HostnameOverride", spec.get("hostnameOverride"))
	if !n.isSet() {
		return
	}
	if spec.isTrue("setHostnameAsFQDN") {
		v.forbidden(n, "may not be specified when setHostnameAsFQDN is true")
	}
	if v.pod.hostNetwork {
		v.forbidden(n, "may not be specified when hostNetwork is true")
	}
	if len(n.text()) > 64 {
		v.tooLong(n, 64)
	}
	v.dnsSubdomain(n, n.text())
}

// resourceClaims checks the resource claims of a pod, and collects their names in
// v.pod.claims. Source: validatePodResourceClaims (since 1.26).
func (v *validator) resourceClaims(list node) {
	list = v.gated("DynamicResourceAllocation", list)
	if list.length() == 0 {
		return
	}
	v.pod.claims = make(map[string]bool, list.length())
	for _, c := range list.items {
		if name := c.str("name"); name != "" {
			v.pod.claims[name] = true
		}
	}
	seen := newNames(list.length())
	for _, c := range list.items {
		if v.minor >= 32 && v.pod.isPod && v.pod.meta.get("annotations").v.Get(mirrorAnnotation) != nil {
			v.forbidden(c.withPath(emptyPath), "static pods do not support resource claims")
			continue
		}
		v.resourceClaim(c, seen)
	}
}

func (v *validator) resourceClaim(c node, seen *names) {
	name, from := c.get("name"), c
	if v.minor <= 30 {
		from = c.get("source")
	}
	claim, template := from.get("resourceClaimName"), from.get("resourceClaimTemplateName")
	switch {
	case name.text() == "":
		v.required(name, "")
	case seen.has(name.text()):
		v.duplicate(name, strconv.Quote(name.text()))
	default:
		before := len(v.causes)
		v.dnsLabel(name, name.text())
		if v.minor <= 30 && len(v.causes) == before && v.pod.isPod && template.isSet() {
			final := v.pod.meta.str("name") + "-" + name.text()
			for _, m := range subdomainErrors(v.minor, final) {
				v.invalidString(name, final, []string{"final ResourceClaim name: " + m})
			}
		}
		seen.add(name.text())
	}
	if claim.isSet() == template.isSet() {
		detail := "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
		if !claim.isSet() {
			detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
		}
		v.invalid(from, v.claimText(name, claim, template), detail)
		if claim.isSet() && v.minor < 34 {
			v.inexact()
		}
	}
	for _, n := range []node{claim, template} {
		if n.isSet() {
			v.dnsSubdomain(n, n.text())
		}
	}
}

// claimText formats a core.PodResourceClaim for an error. Up to 1.30 the error
// contains only the claim's source.
func (v *validator) claimText(name, claim, template node) string {
	pointer := func(n node) string {
		switch {
		case v.minor >= 34 && n.isSet():
			return jsonString(n.text())
		case v.minor >= 34:
			return "null"
		case n.isSet():
			return "(*string)(0x0)"
		}
		return "(*string)(nil)"
	}
	switch {
	case v.minor >= 34:
		return `{"Name":` + jsonString(name.text()) + `,"ResourceClaimName":` + pointer(claim) + `,"ResourceClaimTemplateName":` + pointer(template) + "}"
	case v.minor >= 31:
		return "core.PodResourceClaim{Name:" + strconv.Quote(name.text()) + ", ResourceClaimName:" + pointer(claim) + ", ResourceClaimTemplateName:" + pointer(template) + "}"
	}
	return "core.ClaimSource{ResourceClaimName:" + pointer(claim) + ", ResourceClaimTemplateName:" + pointer(template) + "}"
}

// containerLists are the fields with containers, in the order of
// VisitContainersWithPath (pkg/apis/core/pods).
var containerLists = []string{"initContainers", "containers", "ephemeralContainers"}

func (v *validator) allContainers(spec node) func(func(node) bool) {
	return func(yield func(node) bool) {
		for _, field := range containerLists {
			for _, c := range spec.get(field).items {
				if !yield(c) {
					return
				}
			}
		}
	}
}
