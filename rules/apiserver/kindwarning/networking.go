package kindwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ingress warns about a new Ingress. Servers do not warn on update. Source:
// ingressStrategy.WarningsOnCreate in pkg/registry/networking/ingress/strategy.go
// (1.27–1.37).
func (w *writer) ingress(r apiserver.Request) {
	const class = "kubernetes.io/ingress.class"
	if w.Minor < 27 || r.Old != nil {
		return
	}
	if f := annotation(r.New, class); f != nil && r.New.Get("spec").Given("ingressClassName") == nil {
		w.warn(apiserver.DeprecatedField, "metadata.annotations["+class+"]",
			"annotation "+quote(class)+" is deprecated, please use 'spec.ingressClassName' instead", f.Key())
	}
}

// networkPolicy warns about the CIDRs of a NetworkPolicy. Source:
// networkPolicyWarnings in pkg/registry/networking/networkpolicy/strategy.go
// (1.33–1.37).
func (w *writer) networkPolicy(obj *wire.Value) {
	if w.Minor < 33 {
		return
	}
	for _, direction := range [...]struct{ rules, peers string }{{"ingress", "from"}, {"egress", "to"}} {
		for i, rule := range obj.At("spec", direction.rules).Elements() {
			for j, peer := range rule.Get(direction.peers).Elements() {
				block := peer.Given("ipBlock")
				if block == nil {
					continue
				}
				path := "spec." + direction.rules + wire.Index(i) + "." + direction.peers + wire.Index(j) + ".ipBlock"
				w.cidr(block.Value.Get("cidr"), path+".cidr")
				for k, except := range block.Value.Get("except").Elements() {
					w.cidr(except, path+".except"+wire.Index(k))
				}
			}
		}
	}
}

// endpoints warns about the addresses of an Endpoints object. Source:
// endpointsWarnings in pkg/registry/core/endpoint/strategy.go (1.33–1.37).
func (w *writer) endpoints(obj *wire.Value) {
	if w.Minor < 33 || obj.At("metadata", "labels", "endpoints.kubernetes.io/managed-by").StringOr("") == "endpoint-controller" {
		return
	}
	for i, subset := range obj.Get("subsets").Elements() {
		for _, list := range [...]string{"addresses", "notReadyAddresses"} {
			for j, address := range subset.Get(list).Elements() {
				w.ip(address.Get("ip"), "subsets"+wire.Index(i)+"."+list+wire.Index(j)+".ip")
			}
		}
	}
}

// endpointSlice warns about the address type and the addresses of an
// EndpointSlice. Source: warnOnDeprecatedAddressType (1.27–1.37, on create) and
// warnOnBadIPs (1.33–1.37) in pkg/registry/discovery/endpointslice/strategy.go.
func (w *writer) endpointSlice(r apiserver.Request) {
	if w.Minor < 27 {
		return
	}
	if typ := r.New.Get("addressType"); r.Old == nil && typ.StringOr("") == "FQDN" {
		w.warnField(apiserver.DeprecatedField, "spec.addressType", "FQDN endpoints are deprecated", typ)
	}
	if w.Minor < 33 {
		return
	}
	switch r.New.At("metadata", "labels", "endpointslice.kubernetes.io/managed-by").StringOr("") {
	case "endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io":
		return
	}
	for i, endpoint := range r.New.Get("endpoints").Elements() {
		for j, address := range endpoint.Get("addresses").Elements() {
			w.ip(address, "endpoints"+wire.Index(i)+".addresses"+wire.Index(j))
		}
	}
}
