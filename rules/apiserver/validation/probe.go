package validation

import (
	"slices"
	"strconv"
)

// livenessProbe checks a liveness or startup probe. Source:
// validateLivenessProbe.
func (v *validator) livenessProbe(p node) {
	v.probe(p)
	v.successOne(p)
}

// readinessProbe checks the readiness probe of a container. Source:
// validateReadinessProbe.
func (v *validator) readinessProbe(p node) {
	v.probe(p)
	v.noGrace(p)
}

// successOne adds an error if a success threshold is not 1, which is its default.
func (v *validator) successOne(p node) {
	if n := p.num("successThreshold", 0); n != 0 && n != 1 {
		v.invalid(p.get("successThreshold"), itoa(n), "must be 1")
	}
}

// probeGrace returns the grace period of a probe (since 1.21). If its gate is
// off, the server drops the field, except in readiness probes.
func (v *validator) probeGrace(p node) node {
	g := v.since(21, p.get("terminationGracePeriodSeconds"))
	if v.minor >= 29 || p.p.name == "readinessProbe" {
		return g
	}
	return v.gated("ProbeTerminationGracePeriod", g)
}

func (v *validator) noGrace(p node) {
	if g := v.probeGrace(p); g.isSet() {
		i, _ := g.number()
		v.invalid(g, itoa(i), "must not be set for readinessProbes")
	}
}

// probe checks a probe of a container. Source: validateProbe.
func (v *validator) probe(p node) {
	if !p.isSet() {
		return
	}
	v.handler(p, v.grpc(p), v.grpcAction)
	for _, field := range []string{"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"} {
		if p.num(field, 0) < 0 {
			v.nonnegative(p.get(field))
		}
	}
	if g := v.probeGrace(p); g.isSet() && v.minor >= 22 {
		if i, _ := g.number(); i <= 0 {
			v.invalid(g, itoa(i), "must be greater than 0")
		}
	}
}

// handler validates the first action of a handler and adds an error for each
// further action. last is the action that only one kind of handler has: grpc of a
// probe, or sleep of a lifecycle hook. Source: validateHandler.
func (v *validator) handler(h, last node, checkLast func(node)) {
	actions := 0
	checkAction := func(n node, check func(node)) {
		if !n.isSet() {
			return
		}
		if actions > 0 {
			v.forbidden(n, "may not specify more than 1 handler type")
		} else {
			check(n)
		}
		actions++
	}
	checkAction(h.get("exec"), func(n node) {
		if n.get("command").length() == 0 {
			v.required(n.get("command"), "")
		}
	})
	checkAction(h.get("httpGet"), v.httpGet)
	checkAction(h.get("tcpSocket"), func(n node) { v.portOrName(n.get("port")) })
	checkAction(last, checkLast)
	if actions == 0 {
		v.required(h, "must specify a handler type")
	}
}

// grpc returns the gRPC action of a probe. It is absent before 1.23, and if its
// gate is off.
func (v *validator) grpc(p node) node {
	n := v.since(23, p.get("grpc"))
	if v.minor < 27 {
		n = v.gated("GRPCContainerProbe", n)
	}
	return n
}

// grpcAction checks the gRPC action of a probe. Source: validateGRPCAction.
func (v *validator) grpcAction(n node) {
	v.portOrName(n.get("port"))
	if mode := v.gated("GRPCContainerProbeTLS", n.get("mode")); mode.isSet() {
		v.enum(mode, mode.text(), "Plaintext", "TLS")
	}
}

// httpGet checks the HTTP action of a probe or hook. The path is never empty,
// because it has a default. Source: validateHTTPGetAction.
func (v *validator) httpGet(n node) {
	v.portOrName(n.get("port"))
	scheme := n.strOr("scheme", "HTTP")
	v.enum(n.get("scheme"), scheme, "HTTP", "HTTPS")
	for _, h := range n.get("httpHeaders").items {
		name := h.str("name")
		v.invalidString(h.get("name").withPath(n.p.child("httpHeaders")), name, headerNameErrors(name))
	}
	protocol := v.gated("H2CContainerProbe", n.get("protocol"))
	switch {
	case !protocol.isSet():
	case !slices.Contains([]string{"HTTP1", "HTTP2"}, protocol.text()):
		v.unsupported(protocol, v.typed(protocol.text()), "HTTP1", "HTTP2")
	case protocol.text() == "HTTP2" && scheme != "HTTP":
		v.invalid(protocol, v.typed("HTTP2"), "is only supported with HTTP (H2C)")
	case protocol.text() == "HTTP2" && n.str("host") != "":
		v.invalid(n.get("host"), strconv.Quote(n.str("host")), "must be empty when `protocol` is \"HTTP2\"")
	}
}

// resizePolicy checks the resize policy of a container. Source:
// validateResizePolicy (since 1.27).
func (v *validator) resizePolicy(list node) {
	seen := newNames(0)
	for _, p := range list.items {
		name, policy := p.get("resourceName"), p.get("restartPolicy")
		if !seen.add(name.text()) {
			v.duplicate(p, v.resourceText(name.text()))
		}
		v.resizeValue(list, name, v.resourceText(name.text()), "cpu", "memory")
		v.resizeValue(list, policy, v.typed(policy.text()), "NotRequired", "RestartContainer")
		if v.minor >= 29 && v.pod.restartPolicy == "Never" && policy.text() != "NotRequired" {
			owner := ""
			if v.minor >= 36 {
				owner = "pod "
			}
			v.invalid(policy.withPath(list.p), v.typed(policy.text()), "must be 'NotRequired' when "+owner+"`restartPolicy` is 'Never'")
		}
	}
}

func (v *validator) resizeValue(list, n node, text string, values ...string) {
	if n.text() == "" {
		v.required(n.withPath(list.p), "")
	} else if !slices.Contains(values, n.text()) {
		v.unsupported(n.withPath(list.p), text, values...)
	}
}

// restartPolicy checks the restart policy of a container. Source:
// validateContainerRestartPolicy (since 1.34).
func (v *validator) restartPolicy(c, policy node) {
	rules := c.get("restartPolicyRules")
	at := c.get("restartPolicy")
	switch {
	case !policy.isSet() && rules.length() == 0:
		return
	case !policy.isSet():
		v.required(at, "must specify restartPolicy when restart rules are used")
	default:
		v.enum(at, policy.text(), "Always", "Never", "OnFailure")
	}
	limitLength := func(n node, limit int) {
		switch {
		case n.length() <= limit:
		case v.minor >= 36:
			v.tooMany(n, n.length(), limit)
		default:
			v.tooLong(n, limit)
		}
	}
	limitLength(rules, 20)
	for _, r := range rules.items {
		v.restartRule(r)
		limitLength(r.at("exitCodes", "values"), 255)
		if !r.has("exitCodes") {
			v.required(r.get("exitCodes"), "must be specified")
		}
	}
}

func (v *validator) restartRule(r node) {
	actions, supported := []string{"Restart"}, []string{"Restart"}
	if v.minor >= 35 && v.server.Enabled("RestartAllContainersOnContainerExits") {
		actions = append(actions, "RestartAllContainers")
		if v.minor >= 36 {
			supported = actions
		}
	}
	if action := r.str("action"); !slices.Contains(actions, action) {
		v.unsupported(r.get("action"), v.typed(action), supported...)
	}
	if codes := r.get("exitCodes"); codes.isSet() {
		v.enum(codes.get("operator"), codes.str("operator"), "In", "NotIn")
	}
}

// initRestartPolicy checks the restart policy of an init container. Source:
// validateInitContainerRestartPolicy (since 1.28).
func (v *validator) initRestartPolicy(c, policy node) {
	rules := c.get("restartPolicyRules")
	if !v.pod.restartRules {
		rules = rules.absent()
	}
	switch {
	case !policy.isSet():
		if v.minor >= 35 && rules.length() > 0 {
			v.required(c.get("restartPolicy"), "must specify restartPolicy when restart rules are used")
		}
	case !v.pod.restartRules:
		v.enum(policy, policy.text(), "Always")
	case policy.text() != "Always", v.minor >= 35 && v.server.Enabled("RestartAllContainersOnContainerExits"):
		v.restartPolicy(c, policy)
	case rules.length() > 0:
		v.forbidden(rules, "restartPolicyRules are not allowed for init containers with restart policy Always")
	}
}
