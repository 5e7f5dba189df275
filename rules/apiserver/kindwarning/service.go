package kindwarning

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func quote(s string) string { return strconv.Quote(s) }

const externalName = "ExternalName"

// service warns about a Service. Source: GetWarningsForService in
// pkg/api/service/warnings.go (1.27–1.37).
func (w *writer) service(r apiserver.Request) {
	if w.Minor < 27 {
		return
	}
	if f := annotation(r.New, "service.kubernetes.io/topology-aware-hints"); f != nil {
		w.warn(apiserver.DeprecatedField, "metadata.annotations[service.kubernetes.io/topology-aware-hints]",
			"annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead", f.Key())
	}
	spec := r.New.Get("spec")
	typ := serviceType(spec)
	ip, ips := clusterIPs(r)
	if ip != "" && ip != "None" {
		for i, v := range ips {
			w.ip(v, "spec.clusterIPs"+wire.Index(i))
		}
	}

	externalIPs := spec.Get("externalIPs").Elements()
	balancer := spec.Get("loadBalancerIP")
	headless := typ == "ClusterIP" && ip == "None"
	if headless && w.Minor >= 34 {
		w.headless(spec)
	}
	for i, v := range externalIPs {
		w.ip(v, "spec.externalIPs"+wire.Index(i))
	}
	if len(externalIPs) > 0 && w.Minor >= 36 && !headless && typ != externalName {
		w.warn(apiserver.DeprecatedField, "spec.externalIPs", "spec.externalIPs is deprecated and may no longer be implemented in some clusters", spec.Field("externalIPs").Key())
	}
	if balancer.StringOr("") != "" {
		w.ip(balancer, "spec.loadBalancerIP")
	}
	for i, v := range spec.Get("loadBalancerSourceRanges").Elements() {
		w.cidr(v, "spec.loadBalancerSourceRanges"+wire.Index(i))
	}
	if w.Minor < 28 {
		return
	}
	if typ == externalName && len(externalIPs) > 0 {
		w.warn(apiserver.Advice, "spec.externalIPs", `spec.externalIPs is ignored when spec.type is "ExternalName"`, spec.Field("externalIPs").Key())
	}
	if name := spec.Get("externalName"); typ != externalName && name.StringOr("") != "" {
		w.warn(apiserver.Advice, "spec.externalName", `spec.externalName is ignored when spec.type is not "ExternalName"`, name)
	}
	if d := spec.Get("trafficDistribution"); w.Minor >= 35 && d.StringOr("") == "PreferClose" {
		w.warnField(apiserver.DeprecatedField, "spec.trafficDistribution", `"PreferClose" is deprecated; use "PreferSameZone"`, d)
	}
}

// headless warns about fields that have no effect in a headless Service.
func (w *writer) headless(spec *wire.Value) {
	if v := spec.Get("loadBalancerIP"); v.StringOr("") != "" {
		w.warn(apiserver.Advice, "spec.loadBalancerIP", "spec.loadBalancerIP is ignored for headless services", v)
	}
	if f := spec.Field("externalIPs"); f != nil && len(f.Value.Elements()) > 0 {
		w.warn(apiserver.Advice, "spec.externalIPs", "spec.externalIPs is ignored for headless services", f.Key())
	}
	if v := spec.Get("sessionAffinity"); v.StringOr("") != "" && v.Text != "None" {
		w.warn(apiserver.Advice, "spec.sessionAffinity", "spec.SessionAffinity is ignored for headless services", v)
	}
}

// serviceType returns the type of a Service. The default is ClusterIP, as in
// SetDefaults_Service.
func serviceType(spec *wire.Value) string {
	if typ := spec.Get("type").StringOr(""); typ != "" {
		return typ
	}
	return "ClusterIP"
}

// clusterIPs returns spec.clusterIP and spec.clusterIPs at the time when the
// server checks them. Addresses that the server allocates itself are missing.
// Source (the same from 1.27 to 1.37): beginCreate, beginUpdate,
// patchAllocatedValues and normalizeClusterIPs in
// pkg/registry/core/service/storage/storage.go and dropTypeDependentFields in
// pkg/registry/core/service/strategy.go.
func clusterIPs(r apiserver.Request) (ip string, ips []*wire.Value) {
	clusterIP := r.New.At("spec", "clusterIP")
	ip, ips = clusterIP.StringOr(""), r.New.At("spec", "clusterIPs").Elements()
	if r.Old == nil {
		if ip != "" && len(ips) == 0 {
			ips = []*wire.Value{clusterIP}
		}
		return ip, ips
	}

	before := r.Old.At("spec", "clusterIP")
	oldIP, oldIPs := before.StringOr(""), r.Old.At("spec", "clusterIPs").Elements()
	if oldIP != "" && len(oldIPs) == 0 {
		oldIPs = []*wire.Value{before}
	}
	oldNeeds, needs := serviceType(r.Old.Get("spec")) != externalName, serviceType(r.New.Get("spec")) != externalName
	if oldNeeds && needs {
		if ip == "" {
			ip = oldIP
		}
		if len(ips) == 0 {
			ips = oldIPs
		}
	}
	if len(ips) == 0 && ip == oldIP {
		ips = oldIPs
	}
	if ip != oldIP && sameTexts(ips, oldIPs) {
		if ip == "" {
			ips = nil
		} else {
			ips = []*wire.Value{clusterIP}
		}
	}
	if oldNeeds && !needs && ip == oldIP && sameTexts(ips, oldIPs) {
		return "", nil
	}
	if len(ips) > 0 && len(oldIPs) > 0 && ips[0] == oldIPs[0] {
		ips = placedAt(ips, cmp.Or(clusterIP, r.New.Get("spec"), r.New))
	}
	return ip, ips
}

// placedAt returns copies of values of the stored object with the position of at,
// because the user sees only the new object.
func placedAt(values []*wire.Value, at *wire.Value) []*wire.Value {
	out := make([]*wire.Value, len(values))
	for i, v := range values {
		out[i] = &wire.Value{Kind: wire.String, Text: v.StringOr(""), Pos: at.Pos, End: at.End}
	}
	return out
}

func sameTexts(a, b []*wire.Value) bool {
	return slices.EqualFunc(a, b, func(a, b *wire.Value) bool { return a.StringOr("") == b.StringOr("") })
}
