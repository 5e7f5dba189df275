package validation

import (
	"strconv"
	"strings"
)

// containers checks the containers of a pod. Up to 1.24 the checks of a container
// have another order, and init containers use this function, too. Source:
// validateContainers.
func (v *validator) containers(list node) {
	if list.length() == 0 {
		v.required(list, "")
		return
	}
	names := newNames(list.length())
	for _, c := range list.items {
		if v.minor <= 24 {
			v.oldContainer(c, names)
			continue
		}
		v.container(c)
		if !names.add(c.str("name")) {
			v.duplicate(c.get("name"), strconv.Quote(c.str("name")))
		}
		v.lifecycleHooks(c)
		v.livenessProbe(c.get("livenessProbe"))
		v.readinessProbe(c.get("readinessProbe"))
		v.livenessProbe(c.get("startupProbe"))
		policy := v.since(28, c.get("restartPolicy"))
		if v.pod.restartRules {
			v.restartPolicy(c, policy)
		} else if policy.isSet() {
			v.forbidden(policy, "may not be set for non-init containers")
		}
	}
	ports := newNames(0)
	for _, c := range list.items {
		v.hostPorts(c, ports)
	}
}

// names is a set of names. A small set is a list, because that is faster.
type names struct {
	list  []string
	index map[string]bool
}

func newNames(n int) *names {
	if n > 16 {
		return &names{index: make(map[string]bool, n)}
	}
	return &names{}
}

// add adds a name and reports whether the name is new.
func (s *names) add(name string) bool {
	if s.has(name) {
		return false
	}
	switch {
	case s.index != nil:
		s.index[name] = true
	case len(s.list) < 16:
		s.list = append(s.list, name)
	default:
		s.index = make(map[string]bool, 32)
		for _, f := range s.list {
			s.index[f] = true
		}
		s.index[name] = true
	}
	return true
}

func (s *names) has(name string) bool {
	if s.index != nil {
		return s.index[name]
	}
	for _, f := range s.list {
		if f == name {
			return true
		}
	}
	return false
}

// oldContainer checks one container as validateContainers does up to 1.24.
func (v *validator) oldContainer(c node, seen *names) {
	name := c.get("name")
	if name.text() == "" {
		v.required(name, "")
	} else {
		v.dnsLabel(name, name.text())
	}
	if !seen.add(name.text()) {
		v.duplicate(name, strconv.Quote(name.text()))
	}
	if c.str("image") == "" {
		v.required(c.get("image"), "")
	}
	v.lifecycleHooks(c)
	liveness, readiness, startup := c.get("livenessProbe"), c.get("readinessProbe"), c.get("startupProbe")
	v.probe(liveness)
	v.noGrace(readiness)
	v.probe(startup)
	v.successOne(liveness)
	v.successOne(startup)
	const want = "must be 'File' or 'FallbackToLogsOnError'"
	if p := c.get("terminationMessagePolicy"); p.text() != "" && p.text() != "File" && p.text() != "FallbackToLogsOnError" {
		v.invalid(p, strconv.Quote(p.text()), want)
	}
	v.probe(readiness)
	v.containerTail(c)
}

// container checks one container as validateContainerCommon does from 1.25 on.
func (v *validator) container(c node) {
	name := c.get("name")
	if name.text() == "" {
		v.required(name, "")
	} else {
		v.dnsLabel(name, name.text())
	}
	if c.str("image") == "" {
		v.required(c.get("image"), "")
	}
	if p := c.get("terminationMessagePolicy"); p.text() != "" {
		v.enum(p, p.text(), "File", "FallbackToLogsOnError")
	}
	v.containerTail(c)
}

func (v *validator) containerTail(c node) {
	v.containerPorts(c)
	v.env(c.get("env"))
	v.envFrom(c.get("envFrom"))
	v.volumeMounts(c)
	v.volumeDevices(c)
	if p := c.get("imagePullPolicy"); p.text() != "" {
		v.enum(p, p.text(), "Always", "IfNotPresent", "Never")
	}
	v.containerResources(c.get("resources"))
	v.resizePolicy(v.gated("InPlacePodVerticalScaling", c.get("resizePolicy")))
	v.securityContext(c.get("securityContext"))
}

// initContainers checks the init containers of a pod. Source:
// validateInitContainers.
func (v *validator) initContainers(list, regular node) {
	if list.length() == 0 {
		return
	}
	others := newNames(list.length() + regular.length())
	if v.minor <= 24 {
		initNames := newNames(list.length())
		for _, c := range list.items {
			v.oldContainer(c, initNames)
		}
		for _, c := range list.items {
			v.hostPorts(c.withPath(list.p.item(0)), newNames(0))
		}
	}
	for _, c := range regular.items {
		others.add(c.str("name"))
	}
	for i, c := range list.items {
		if v.minor <= 24 {
			if name := c.str("name"); !others.add(name) {
				v.duplicate(c.get("name"), strconv.Quote(name))
			}
			v.notSidecar(c, "must not be set for init containers")
			continue
		}
		v.container(c)
		policy := v.gated("SidecarContainers", v.since(28, c.get("restartPolicy")))
		v.initRestartPolicy(c, policy)
		if name := c.str("name"); others.has(name) {
			v.duplicate(c.get("name"), strconv.Quote(name))
		} else if name != "" {
			others.add(name)
		}
		v.hostPorts(c.withPath(list.p.item(0)), newNames(0)) // the server's errors have the index 0, because it passes each container in a list of its own
		sidecar := policy.text() == "Always"
		switch {
		case sidecar:
			v.lifecycleHooks(c)
			v.livenessProbe(c.get("livenessProbe"))
			v.readinessProbe(c.get("readinessProbe"))
			v.livenessProbe(c.get("startupProbe"))
		case v.minor >= 28:
			v.notSidecar(c, "may not be set for init containers without restartPolicy=Always")
		default:
			v.notSidecar(c, "may not be set for init containers")
		}
		v.initResizePolicy(list, i, c, sidecar)
	}
}

// notSidecar adds errors for the fields that an init container can have only if
// it is a sidecar. Up to 1.24 the server's text contains memory addresses.
func (v *validator) notSidecar(c node, detail string) {
	v.noLifecycle(c, detail)
	for _, name := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		switch p := c.get(name); {
		case !p.isSet():
		case v.minor <= 24:
			v.invalid(p, "core.Probe{…}", detail)
			v.inexact()
		default:
			v.forbidden(p, detail)
		}
	}
}

func (v *validator) initResizePolicy(list node, i int, c node, sidecar bool) {
	policies := v.gated("InPlacePodVerticalScaling", c.get("resizePolicy"))
	if policies.length() == 0 {
		return
	}
	if v.minor < 32 {
		v.invalid(policies, v.dump("[]core.ContainerResizePolicy{…}", policies.v), "must not be set for init containers")
		v.inexact()
	}
	if v.minor >= 36 && !sidecar {
		for j, p := range policies.items {
			if p.str("restartPolicy") == "RestartContainer" {
				at := p.withPath(list.p.item(i).child("resizePolicy").item(j).child("restartPolicy"))
				v.invalid(at, v.typed("RestartContainer"), "must not be set to 'RestartContainer' for non-sidecar initContainers")
			}
		}
	}
}

// ephemeralOnly are the fields that an ephemeral container may not have, in the
// order of the Go type.
var ephemeralOnly = []string{"ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}

// ephemeralContainers checks the ephemeral containers of a pod. Up to 1.24, the
// paths of errors have the index 0, because the server validates each container
// as a list with one item. Source: validateEphemeralContainers.
func (v *validator) ephemeralContainers(spec node) {
	list := spec.get("ephemeralContainers")
	if v.minor < 25 && !v.server.Enabled("EphemeralContainers") || list.length() == 0 {
		return
	}
	others, all := newNames(0), newNames(0)
	for _, field := range []string{"containers", "initContainers"} {
		for _, c := range spec.get(field).items {
			others.add(c.str("name"))
			all.add(c.str("name"))
		}
	}
	for _, c := range list.items {
		target := c.get("targetContainerName")
		missing := func(among *names) {
			if target.text() != "" && !among.has(target.text()) {
				v.notFound(target, target.text(), "")
			}
		}
		name := c.str("name")
		if v.minor <= 24 {
			missing(all)
			if name == "" {
				v.required(c, "ephemeralContainer requires a name")
				continue
			}
			inner := c.withPath(c.p.item(0))
			v.oldContainer(inner, newNames(0))
			v.hostPorts(inner, newNames(0))
			v.imageSpace(inner)
		} else {
			v.container(c)
			v.imageSpace(c)
		}
		if !all.add(name) {
			v.duplicate(c.get("name"), strconv.Quote(name))
		}
		if v.minor >= 25 {
			missing(others)
		}
		for _, field := range ephemeralOnly {
			v.notEphemeral(c, field)
		}
		for _, m := range c.get("volumeMounts").items {
			for _, field := range []string{"subPath", "subPathExpr"} {
				if v.minor >= 22 && m.str(field) != "" {
					v.forbidden(m.get(field), "cannot be set for an Ephemeral Container")
				}
			}
		}
	}
}

func (v *validator) notEphemeral(c node, field string) {
	n := c.get(field)
	switch field {
	case "lifecycle":
		if n = v.lifecycleOf(c); n.isSet() {
			v.aboutHook(func() { v.forbidden(n, "cannot be set for an Ephemeral Container") })
		}
		return
	case "resizePolicy":
		n = v.gated("InPlacePodVerticalScaling", n)
	case "restartPolicy":
		n = v.since(28, n)
	case "restartPolicyRules":
		n = v.gated("ContainerRestartRules", n)
	case "resources":
		if n.isSet() && !n.has("limits") && !n.has("requests") && !v.gated("DynamicResourceAllocation", n.get("claims")).isSet() {
			return
		}
	}
	if n.isSet() {
		v.forbidden(n, "cannot be set for an Ephemeral Container")
	}
}

// imageSpace checks that an image has no white space around it. Source:
// validateContainersOnlyForPod.
func (v *validator) imageSpace(c node) {
	if image := c.str("image"); image != strings.TrimSpace(image) {
		v.invalidString(c.get("image"), image, []string{"must not have leading or trailing whitespace"})
	}
}
