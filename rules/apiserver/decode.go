package apiserver

import (
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// hooksOnly is the part of an object that the verdict on hooks decodes: what
// leads to lifecycles, all that is in them, and the grace period.
func hooksOnly(structure, name string) (read, whole bool) {
	switch structure {
	case "v1.PodSpec":
		read = slices.Contains(hookFields[:], name)
	case "v1.Container", "v1.EphemeralContainer":
		whole = name == "lifecycle"
		read = whole || name == "name" || name == "restartPolicy"
	default:
		read = name == "spec" || name == "template" || name == "jobTemplate"
	}
	return read, whole
}

// hookFields are the fields of a PodSpec that podSpec holds.
var hookFields = [...]string{"terminationGracePeriodSeconds", "containers", "initContainers", "ephemeralContainers"}

// podSpec finds the pod spec in an object, or nil.
func (w *workload) podSpec(obj *wire.Value) *wire.Value {
	for _, l := range w.levels {
		obj = obj.Get(l)
	}
	return obj
}

// reader reads the fields that a minor has from values that decode: what does
// not is left out.
type reader struct{ minor lifecycle.Minor }

// readPodSpec reads a pod spec of k8s.io/api/core/v1/types.go.
func readPodSpec(m lifecycle.Minor, v *wire.Value) podSpec {
	rd := reader{m}
	p := podSpec{
		containers:          readList(v.Get("containers"), rd.container),
		initContainers:      readList(v.Get("initContainers"), rd.container),
		ephemeralAt:         v.Get("ephemeralContainers"),
		ephemeralContainers: readList(v.Get("ephemeralContainers"), rd.container),
		graceAt:             v.Get("terminationGracePeriodSeconds"),
	}
	if n, ok := readInt(p.graceAt, 64); ok {
		p.grace = &n
	}
	return p
}

// readList reads a list; an item that is null is an empty structure.
func readList[E any](v *wire.Value, read func(*wire.Value) E) []E {
	if v == nil || v.Kind != wire.List {
		return nil
	}
	list := make([]E, len(v.Items))
	for i, item := range v.Items {
		list[i] = read(item)
	}
	return list
}

// readPointer reads what a pointer points to; null is none.
func readPointer[T any](v *wire.Value, read func(*wire.Value) T) *T {
	if v.IsNull() {
		return nil
	}
	return new(read(v))
}

// readInt reads an integer: only digits are one, so 5.0 and 1e1 are none.
func readInt(v *wire.Value, bits int) (int64, bool) {
	if v == nil || v.Kind != wire.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, bits)
	return n, err == nil
}

func readString(v *wire.Value) string { return v.StringOr("") }

func (rd reader) container(v *wire.Value) container {
	c := container{name: readString(v.Get("name")), lifecycle: readPointer(v.Get("lifecycle"), rd.hooks)}
	if rd.minor >= 28 {
		c.restartPolicy = readString(v.Get("restartPolicy"))
	}
	return c
}

func (rd reader) hooks(v *wire.Value) hooks {
	h := hooks{at: v, postStart: readPointer(v.Get("postStart"), rd.handler), preStop: readPointer(v.Get("preStop"), rd.handler)}
	if rd.minor >= 33 {
		h.stopSignal = readString(v.Get("stopSignal"))
	}
	return h
}

func (rd reader) handler(v *wire.Value) handler {
	h := handler{
		at:        v,
		exec:      readPointer(v.Get("exec"), readExec),
		httpGet:   readPointer(v.Get("httpGet"), rd.httpGet),
		tcpSocket: readPointer(v.Get("tcpSocket"), readTCPSocket),
	}
	if rd.minor >= 29 {
		h.sleep = readPointer(v.Get("sleep"), readSleep)
	}
	return h
}

func readExec(v *wire.Value) execAction {
	return execAction{at: v, command: readList(v.Get("command"), readString)}
}

func (rd reader) httpGet(v *wire.Value) httpGetAction {
	g := httpGetAction{
		at: v, path: readString(v.Get("path")), host: readString(v.Get("host")), scheme: readString(v.Get("scheme")),
		port: readIntOrString(v.Get("port")),
		headers: readList(v.Get("httpHeaders"), func(v *wire.Value) httpHeader {
			return httpHeader{at: v, name: readString(v.Get("name")), value: readString(v.Get("value"))}
		}),
	}
	if rd.minor >= 37 {
		g.protocol = readString(v.Get("protocol"))
	}
	return g
}

func readTCPSocket(v *wire.Value) tcpSocketAction {
	return tcpSocketAction{at: v, port: readIntOrString(v.Get("port")), host: readString(v.Get("host"))}
}

// readSleep reads a sleep action, which is to be found at its seconds.
func readSleep(v *wire.Value) sleepAction {
	if n, ok := readInt(v.Get("seconds"), 64); ok {
		return sleepAction{at: v.Get("seconds"), seconds: n}
	}
	return sleepAction{at: v}
}

func readIntOrString(v *wire.Value) intOrString {
	n := intOrString{at: v}
	if v == nil {
		return n
	}
	if v.Kind == wire.String {
		n.str = &v.Text
	} else if number, ok := readInt(v, 32); ok {
		n.number = int32(number)
	}
	return n
}
