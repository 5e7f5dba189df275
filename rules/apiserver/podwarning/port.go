package podwarning

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// port is a ContainerPort with its defaults. The order of its fields is that of
// the server's text.
type port struct {
	Name          string
	HostPort      int32
	ContainerPort int32
	Protocol      string
	HostIP        string
}

type placedPort struct {
	port
	c  container
	i  int
	at *wire.Value
}

func (w *writer) portPath(p *placedPort) string { return w.path(p.c) + ".ports" + wire.Index(p.i) }

// readPort reads a port. In a Pod on the host's network, the host port defaults
// to the container port from 1.28 on. In a pod template, it has this default only
// in 1.28 to 1.30 and behind a gate. Source: SetDefaults_Pod.
func (w *writer) readPort(v *wire.Value, hostNetwork bool) port {
	p := port{
		Name:          v.Get("name").StringOr(""),
		HostPort:      int32(integer(v.Get("hostPort"))),
		ContainerPort: int32(integer(v.Get("containerPort"))),
		Protocol:      v.Get("protocol").StringOr(""),
		HostIP:        v.Get("hostIP").StringOr(""),
	}
	if p.Protocol == "" {
		p.Protocol = "TCP"
	}
	if hostNetwork && p.HostPort == 0 {
		p.HostPort = p.ContainerPort
	}
	return p
}

// ports warns about a hostIP without a hostPort, and about ports that several
// containers define (1.28–1.37).
func (w *writer) ports(spec *wire.Value) {
	const gate = "DefaultHostNetworkHostPortsInPodTemplates"
	host := spec.Get("hostNetwork").IsTrue() && (w.prefix == "" || w.Minor <= 30 && w.Enabled(gate))
	var earlier []placedPort
	for c := range w.containers(spec) {
		for i, v := range c.Get("ports").Elements() {
			p := placedPort{w.readPort(v, host && c.list != "ephemeralContainers"), c, i, v}
			if p.HostIP != "" && p.HostPort == 0 {
				w.warnField(apiserver.Advice, w.portPath(&p), fmt.Sprintf("hostIP set without hostPort: %+v", p.port), cmp.Or(v.Get("hostIP"), v))
			}
			for j := range earlier {
				e := &earlier[j]
				if !w.countPair() {
					break
				}
				if e.ContainerPort != p.ContainerPort || e.Protocol != p.Protocol {
					continue
				}
				if text := conflictText(&p.port, &e.port); text != "" {
					w.warnField(apiserver.Advice, w.portPath(&p), text+w.portPath(e), v)
				}
			}
			earlier = append(earlier, p)
		}
	}
}

// conflictText returns the beginning of the warning about a port that conflicts
// with an earlier port of the same number and protocol, or "".
func conflictText(p, earlier *port) string {
	switch {
	case p.HostIP == earlier.HostIP && p.HostPort == earlier.HostPort:
		return "duplicate port definition with "
	case p.HostPort == 0 || earlier.HostPort == 0:
		return "overlapping port definition with "
	case p.HostPort == earlier.HostPort && (p.HostIP == "") != (earlier.HostIP == ""):
		return "dangerously ambiguous port definition with "
	}
	return ""
}

// portNames warns about port names that are used more than once (1.33–1.37).
func (w *writer) portNames(spec *wire.Value) {
	var first map[string]placedPort
	for c := range w.containers(spec) {
		for i, v := range c.Get("ports").Elements() {
			name := v.Get("name")
			n := name.StringOr("")
			if n == "" {
				continue
			}
			p := placedPort{c: c, i: i}
			if other, ok := first[n]; ok {
				used := w.portPath(&other)
				w.warnField(apiserver.Advice, w.portPath(&p), "duplicate port name "+strconv.Quote(n)+" with "+used+
					", services and probes that select ports by name will use "+used, name)
				continue
			}
			if first == nil {
				first = map[string]placedPort{}
			}
			first[n] = p
		}
	}
}
