package conversion

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ingress converts a v1beta1 Ingress to networking.k8s.io/v1. Source:
// k8s.io/kubernetes pkg/apis/{networking,extensions}/v1beta1/conversion.go and
// defaults.go (1.19–1.37).
func ingress(d *draft, _ destination) {
	spec := Fields("spec")
	d.rename(spec.Field("backend"), "defaultBackend")
	ingressBackend(d, spec.Field("defaultBackend"))
	rules := spec.Field("rules")
	for i := range d.length(rules) {
		paths := rules.Item(i).Field("http", "paths")
		for _, path := range d.objects(paths) {
			// This is the default of v1beta1. In v1 the field is required.
			if isEmpty(d.value(path.Field("pathType"))) {
				d.set(path.Field("pathType"), text("ImplementationSpecific"), "backend")
			}
			ingressBackend(d, path.Field("backend"))
		}
	}
}

func ingressBackend(d *draft, p Path) {
	name, port := p.Field("serviceName"), p.Field("servicePort")
	v := d.value(port)
	// If the old backend has neither a service name nor a port, the server's
	// conversion creates no service.
	if isEmpty(d.value(name)) && (v.IsNull() || v.Kind != wire.String && isEmpty(v)) {
		d.remove(name)
		d.remove(port)
		return
	}
	d.move(name, p.Field("service", "name"))
	switch {
	case v.IsNull():
		d.remove(port)
	case v.Kind == wire.String:
		if n, err := strconv.ParseInt(v.Text, 10, 32); err == nil && n > 0 {
			d.review("%s is the text %q, which a server takes as the name of a port; v1 refuses such a name, and the number is written instead.", port, v.Text)
			d.step(Step{Op: Move, Path: port, To: p.Field("service", "port", "number"), Value: number(n)})
			return
		}
		d.move(port, p.Field("service", "port", "name"))
	default:
		d.move(port, p.Field("service", "port", "number"))
	}
}
