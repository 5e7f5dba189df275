package apiserver

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// The types of k8s.io/api/core/v1/types.go, as far as hooks need them.

var podSpecType = structType[podSpec]{name: "v1.PodSpec", fields: []structField[podSpec]{
	{"terminationGracePeriodSeconds", "TerminationGracePeriodSeconds", 0, func(d *decoder, v *wire.Value, p *podSpec) {
		p.grace, p.graceAt = nil, v
		if n, ok := d.readInt64(v); ok {
			p.grace = &n
		}
	}},
	{"containers", "Containers", 0, func(d *decoder, v *wire.Value, p *podSpec) {
		readList(d, v, "v1.Container", containerType.read, &p.containers)
	}},
	{"initContainers", "InitContainers", 0, func(d *decoder, v *wire.Value, p *podSpec) {
		readList(d, v, "v1.Container", containerType.read, &p.initContainers)
	}},
	{"ephemeralContainers", "EphemeralContainers", 16, func(d *decoder, v *wire.Value, p *podSpec) {
		p.ephemeralAt = v
		readList(d, v, "v1.EphemeralContainer", ephemeralContainerType.read, &p.ephemeralContainers)
	}},
}}

var (
	containerType          = structType[container]{name: "v1.Container", fields: containerFields}
	ephemeralContainerType = structType[container]{name: "v1.EphemeralContainer", embedded: "EphemeralContainerCommon", fields: containerFields}
)

var containerFields = []structField[container]{
	{"name", "Name", 0, func(d *decoder, v *wire.Value, c *container) { readString("string")(d, v, &c.name) }},
	{"restartPolicy", "RestartPolicy", 28, func(d *decoder, v *wire.Value, c *container) {
		readString("v1.ContainerRestartPolicy")(d, v, &c.restartPolicy)
	}},
	{"lifecycle", "Lifecycle", 0, func(d *decoder, v *wire.Value, c *container) {
		if lifecycleType.pointer(d, v, &c.lifecycle); c.lifecycle != nil {
			c.lifecycle.at = v
		}
	}},
}

var lifecycleType = structType[hooks]{name: "v1.Lifecycle", closed: true, fields: []structField[hooks]{
	{"postStart", "PostStart", 0, func(d *decoder, v *wire.Value, l *hooks) { readHandler(d, v, &l.postStart) }},
	{"preStop", "PreStop", 0, func(d *decoder, v *wire.Value, l *hooks) { readHandler(d, v, &l.preStop) }},
	{"stopSignal", "StopSignal", 33, func(d *decoder, v *wire.Value, l *hooks) { readString("v1.Signal")(d, v, &l.stopSignal) }},
}}

func readHandler(d *decoder, v *wire.Value, out **handler) {
	t := &handlerType
	if d.minor < 23 {
		t = &oldHandlerType
	}
	if t.pointer(d, v, out); *out != nil {
		(*out).at = v
	}
}

var (
	handlerType    = structType[handler]{name: "v1.LifecycleHandler", closed: true, fields: handlerFields}
	oldHandlerType = structType[handler]{name: "v1.Handler", closed: true, fields: handlerFields}
)

var handlerFields = []structField[handler]{
	{"exec", "Exec", 0, func(d *decoder, v *wire.Value, h *handler) {
		if execType.pointer(d, v, &h.exec); h.exec != nil {
			h.exec.at = v
		}
	}},
	{"httpGet", "HTTPGet", 0, func(d *decoder, v *wire.Value, h *handler) {
		if httpGetType.pointer(d, v, &h.httpGet); h.httpGet != nil {
			h.httpGet.at = v
		}
	}},
	{"tcpSocket", "TCPSocket", 0, func(d *decoder, v *wire.Value, h *handler) {
		if tcpSocketType.pointer(d, v, &h.tcpSocket); h.tcpSocket != nil {
			h.tcpSocket.at = v
		}
	}},
	{"sleep", "Sleep", 29, func(d *decoder, v *wire.Value, h *handler) {
		if sleepType.pointer(d, v, &h.sleep); h.sleep != nil && h.sleep.at == nil {
			h.sleep.at = v
		}
	}},
}

var execType = structType[execAction]{name: "v1.ExecAction", closed: true, fields: []structField[execAction]{
	{"command", "Command", 0, func(d *decoder, v *wire.Value, a *execAction) {
		readList(d, v, "string", readString("string"), &a.command)
	}},
}}

var httpGetType = structType[httpGetAction]{name: "v1.HTTPGetAction", closed: true, fields: []structField[httpGetAction]{
	{"path", "Path", 0, func(d *decoder, v *wire.Value, a *httpGetAction) { readString("string")(d, v, &a.path) }},
	{"port", "Port", 0, func(d *decoder, v *wire.Value, a *httpGetAction) { readIntOrString(d, v, &a.port) }},
	{"host", "Host", 0, func(d *decoder, v *wire.Value, a *httpGetAction) { readString("string")(d, v, &a.host) }},
	{"scheme", "Scheme", 0, func(d *decoder, v *wire.Value, a *httpGetAction) { readString("v1.URIScheme")(d, v, &a.scheme) }},
	{"httpHeaders", "HTTPHeaders", 0, func(d *decoder, v *wire.Value, a *httpGetAction) {
		readList(d, v, "v1.HTTPHeader", httpHeaderType.read, &a.headers)
		for i := range a.headers {
			a.headers[i].at = v.Items[i]
		}
	}},
	{"protocol", "Protocol", 37, func(d *decoder, v *wire.Value, a *httpGetAction) { readString("v1.HTTPProtocol")(d, v, &a.protocol) }},
}}

var httpHeaderType = structType[httpHeader]{name: "v1.HTTPHeader", closed: true, fields: []structField[httpHeader]{
	{"name", "Name", 0, func(d *decoder, v *wire.Value, h *httpHeader) { readString("string")(d, v, &h.name) }},
	{"value", "Value", 0, func(d *decoder, v *wire.Value, h *httpHeader) { readString("string")(d, v, &h.value) }},
}}

var tcpSocketType = structType[tcpSocketAction]{name: "v1.TCPSocketAction", closed: true, fields: []structField[tcpSocketAction]{
	{"port", "Port", 0, func(d *decoder, v *wire.Value, a *tcpSocketAction) { readIntOrString(d, v, &a.port) }},
	{"host", "Host", 0, func(d *decoder, v *wire.Value, a *tcpSocketAction) { readString("string")(d, v, &a.host) }},
}}

var sleepType = structType[sleepAction]{name: "v1.SleepAction", closed: true, fields: []structField[sleepAction]{
	{"seconds", "Seconds", 0, func(d *decoder, v *wire.Value, a *sleepAction) {
		if n, ok := d.readInt64(v); ok {
			a.seconds, a.at = n, v
		}
	}},
}}
