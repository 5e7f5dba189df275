package validation

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ingress checks an Ingress. In v1beta1, up to 1.21, fields have other names.
// Source: ValidateIngressCreate and ValidateIngressUpdate.
func (v *validator) ingress(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	old := strings.HasSuffix(v.req.APIVersion, "/v1beta1")
	name := "defaultBackend"
	if old {
		name = "backend"
	}
	backend, rules := spec.get(name), spec.get("rules")
	if rules.length() == 0 && !backend.isSet() {
		v.invalid(spec, v.noRules(rules), "either `"+name+"` or `rules` must be specified")
	}
	if backend.isSet() {
		v.ingressBackend(backend, old)
	}
	for _, r := range rules.items {
		v.ingressRule(r, old)
	}
	v.ingressTLS(spec.get("tls"), old)
	class := spec.get("ingressClassName")
	if class.isSet() {
		v.dnsSubdomain(class, class.text())
	}
	const key = "kubernetes.io/ingress.class"
	annotation := obj.at("metadata", "annotations", key)
	if v.req.Old != nil || annotation.v == nil || !class.isSet() {
		return
	}
	at := annotation.withPath((&path{name: "annotations"}).child(key))
	switch {
	case v.minor < 27:
		v.invalidString(at, annotation.text(), []string{"can not be set when the class field is also set"})
	case annotation.text() != class.text():
		v.invalidString(at, annotation.text(), []string{"must match `ingressClassName` when both are specified"})
	}
}

// noRules formats an empty list of rules for an error.
func (v *validator) noRules(rules node) string {
	switch {
	case v.minor >= 34 && rules.isSet():
		return "[]"
	case v.minor >= 34:
		return "null"
	case rules.isSet():
		return "[]networking.IngressRule{}"
	}
	return "[]networking.IngressRule(nil)"
}

func (v *validator) ingressRule(r node, old bool) {
	host := r.get("host")
	wildcard := false
	if text := host.text(); text != "" {
		if _, isIP := netvalue.ParseIP(text); isIP {
			v.invalidString(host, text, []string{"must be a DNS name, not an IP address"})
		}
		if wildcard = strings.Contains(text, "*"); wildcard {
			v.invalidString(host, text, wildcardErrors(v.minor, text))
		} else {
			v.dnsSubdomain(host, text)
		}
	}
	http := r.get("http")
	if !http.isSet() || wildcard && old {
		return
	}
	paths := http.get("paths")
	if paths.length() == 0 {
		v.required(paths, "")
	}
	for _, p := range paths.items {
		v.ingressPath(p, old)
	}
}

func (v *validator) ingressPath(p node, old bool) {
	kind, text := p.get("pathType"), p.get("path")
	name := kind.text()
	if !kind.isSet() {
		if !old {
			v.required(kind, "pathType must be specified")
			return
		}
		name = "ImplementationSpecific"
	}
	addError := func(detail string) { v.invalidString(text, text.text(), []string{detail}) }
	switch name {
	case "Exact", "Prefix":
		if !strings.HasPrefix(text.text(), "/") {
			addError("must be an absolute path")
		}
		for _, s := range []string{"//", "/./", "/../", "%2f", "%2F"} {
			if strings.Contains(text.text(), s) {
				addError("must not contain '" + s + "'")
			}
		}
		for _, s := range []string{"/..", "/."} {
			if strings.HasSuffix(text.text(), s) {
				addError("cannot end with '" + s + "'")
			}
		}
	case "ImplementationSpecific":
		if text.text() != "" && !strings.HasPrefix(text.text(), "/") {
			addError("must be an absolute path")
		}
	default:
		v.enum(kind, name, "Exact", "ImplementationSpecific", "Prefix")
	}
	v.ingressBackend(p.get("backend"), old)
}

// ingressBackend checks a backend of an Ingress. Source: validateIngressBackend.
func (v *validator) ingressBackend(b node, old bool) {
	resource, service := b.get("resource"), b.get("service")
	name, port := service.get("name"), service.get("port")
	portName, portNumber := port.get("name"), port.get("number")
	hasService := service.isSet()
	if old {
		name, port = b.get("serviceName"), b.get("servicePort")
		portName, portNumber = port, port
		if _, ok := port.number(); ok {
			portName = port.absent()
		} else {
			portNumber = port.absent()
		}
		hasService = name.text() != "" || port.isSet()
	}
	switch {
	case resource.isSet() && hasService:
		v.invalid(b, `""`, "cannot set both resource and service backends")
		return
	case resource.isSet():
		v.typedReference(resource, 0)
		return
	case !hasService:
		v.invalid(b, `""`, "resource or service backend is required")
		return
	}
	if name.text() == "" {
		v.required(name, "")
	} else {
		v.invalidString(name, name.text(), v.serviceName()(v.minor, name.text()))
	}
	number, _ := portNumber.number()
	switch {
	case portName.text() != "" && number != 0:
		v.invalid(b, `""`, "cannot set both port name & port number")
	case portName.text() != "":
		v.invalidString(portName, portName.text(), portNameErrors(v.minor, portName.text()))
	case number != 0:
		v.portNumber(portNumber)
	default:
		v.required(b, "port name or number is required")
	}
}

func (v *validator) ingressTLS(list node, old bool) {
	for _, t := range list.items {
		for _, h := range t.get("hosts").items {
			if strings.Contains(h.text(), "*") {
				v.invalidString(h, h.text(), wildcardErrors(v.minor, h.text()))
			} else {
				v.dnsSubdomain(h, h.text())
			}
		}
		if name := t.get("secretName"); name.text() != "" && !old {
			v.dnsSubdomain(name, name.text())
		}
	}
}

// typedReference checks a reference with group, kind and name. From the minor
// declarativeFrom on, declarative validation checks the required fields. Source:
// validateIngressTypedLocalObjectReference.
func (v *validator) typedReference(ref node, declarativeFrom lifecycle.Minor) {
	group, kind, name := ref.get("apiGroup"), ref.get("kind"), ref.get("name")
	if group.isSet() {
		v.dnsSubdomain(group, group.text())
	}
	for _, n := range []node{kind, name} {
		if n.text() != "" {
			v.invalidString(n, n.text(), pathSegmentErrors(v.minor, n.text()))
			continue
		}
		detail := ""
		if v.minor < 34 {
			detail = n.p.name + " is required"
		}
		if declarativeFrom > 0 {
			v.declaredSince(declarativeFrom, func() { v.required(n, detail) })
		} else {
			v.required(n, detail)
		}
	}
}
