package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

const (
	zoneLabel     = "topology.kubernetes.io/zone"
	hostnameLabel = "kubernetes.io/hostname"
)

// endpointSlice converts an EndpointSlice to discovery.k8s.io/v1. v1 has fields
// only for zone and hostname of the topology. Other keys cannot be kept: servers
// move them to deprecatedTopology when they convert a stored object, but remove
// this field from v1 requests.
//
// Source: k8s.io/kubernetes pkg/apis/discovery/v1beta1/conversion.go
// (1.21–1.24) and pkg/registry/discovery/endpointslice/strategy.go.
func endpointSlice(d *draft, to destination) {
	endpoints := Fields("endpoints")
	for _, at := range d.objects(endpoints) {
		topology := at.Field("topology")
		if v := d.value(topology); v.IsNull() || v.Kind != wire.Map {
			d.remove(topology)
			continue
		}
		if zone := topology.Field(zoneLabel); d.has(zone) {
			d.remove(at.Field("zone"))
			d.move(zone, at.Field("zone"))
		}
		host, node := topology.Field(hostnameLabel), at.Field("nodeName")
		switch v := d.value(host); {
		case v.IsNull():
		case d.has(node) && d.value(node).Text == v.Text:
			d.remove(host)
		case !d.has(node):
			d.review("%s names its host by the topology label %s; v1 has no place for it but nodeName, which must be the name of a Node.", at, hostnameLabel)
			d.move(host, node)
		}
		if v := d.value(topology); len(v.Fields) > 0 {
			var names []string
			for _, f := range v.Fields {
				names = append(names, f.Name)
			}
			d.review("%s has topology that v1 does not accept in requests: %s. It is left out.", at, strings.Join(names, ", "))
		}
		d.remove(topology)
	}
	addressType(d, to)
}

// addressType makes the plan manual if addressType is missing or IP, because only
// v1alpha1 accepts that.
func addressType(d *draft, _ destination) {
	switch v := d.value(Fields("addressType")); {
	case v.IsNull():
		d.manual("Write addressType: IPv4, IPv6 or FQDN; only v1alpha1 had a default.")
	case v.Text == "IP":
		d.manual("addressType IP was split into IPv4 and IPv6: write one slice for each.")
	}
}
