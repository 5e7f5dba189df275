package apiserver

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// podSpec is what a PodSpec says about the hooks of its containers: the fields
// that the server's verdict on a sleep action depends on, and no others.
type podSpec struct {
	grace   *int64 // terminationGracePeriodSeconds
	graceAt *wire.Value

	containers, initContainers, ephemeralContainers []container
	ephemeralAt                                     *wire.Value
}

type container struct {
	name          string
	restartPolicy string
	lifecycle     *hooks
}

// hooks is a Lifecycle.
type hooks struct {
	at                 *wire.Value
	postStart, preStop *handler
	stopSignal         string
}

// handler is a LifecycleHandler, named Handler before 1.23.
type handler struct {
	at        *wire.Value
	exec      *execAction
	httpGet   *httpGetAction
	tcpSocket *tcpSocketAction
	sleep     *sleepAction
}

type execAction struct {
	at      *wire.Value
	command []string
}

type httpGetAction struct {
	at                 *wire.Value
	path, host, scheme string
	protocol           string
	port               intOrString
	headers            []httpHeader
}

type httpHeader struct {
	at          *wire.Value
	name, value string
}

type tcpSocketAction struct {
	at   *wire.Value
	port intOrString
	host string
}

type sleepAction struct {
	at      *wire.Value
	seconds int64
}

// intOrString is an IntOrString: a string where str is set.
type intOrString struct {
	at     *wire.Value
	number int32
	str    *string
}

// all gives the containers of every sort, in the order of VisitContainers.
func (p *podSpec) all(yield func(*container) bool) {
	for _, list := range [][]container{p.initContainers, p.containers, p.ephemeralContainers} {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// hasHooks reports whether any container has a lifecycle.
func (p *podSpec) hasHooks() bool {
	for c := range p.all {
		if c.lifecycle != nil {
			return true
		}
	}
	return false
}

// handlers gives the lifecycle's handlers that are there.
func (h *hooks) handlers(yield func(*handler) bool) {
	if h == nil {
		return
	}
	for _, one := range []*handler{h.postStart, h.preStop} {
		if one != nil && !yield(one) {
			return
		}
	}
}

// sleeps gives every sleep action of the pod.
func (p *podSpec) sleeps(yield func(*sleepAction) bool) {
	for c := range p.all {
		for h := range c.lifecycle.handlers {
			if h.sleep != nil && !yield(h.sleep) {
				return
			}
		}
	}
}

// sameHooks reports whether two lists of containers have equal lifecycles, as
// apiequality.Semantic.DeepEqual would find.
func sameHooks(a, b []container) bool {
	return slices.EqualFunc(a, b, func(a, b container) bool { return a.lifecycle.equal(b.lifecycle) })
}

func (h *hooks) equal(o *hooks) bool {
	if h == nil || o == nil {
		return h == o
	}
	return h.stopSignal == o.stopSignal && h.postStart.equal(o.postStart) && h.preStop.equal(o.preStop)
}

func (h *handler) equal(o *handler) bool {
	if h == nil || o == nil {
		return h == o
	}
	return equalBy(h.exec, o.exec, func(a, b *execAction) bool { return slices.Equal(a.command, b.command) }) &&
		equalBy(h.httpGet, o.httpGet, (*httpGetAction).equal) &&
		equalBy(h.tcpSocket, o.tcpSocket, func(a, b *tcpSocketAction) bool { return a.host == b.host && a.port.equal(b.port) }) &&
		equalBy(h.sleep, o.sleep, func(a, b *sleepAction) bool { return a.seconds == b.seconds })
}

func (a *httpGetAction) equal(b *httpGetAction) bool {
	return a.path == b.path && a.host == b.host && a.scheme == b.scheme && a.protocol == b.protocol && a.port.equal(b.port) &&
		slices.EqualFunc(a.headers, b.headers, func(a, b httpHeader) bool { return a.name == b.name && a.value == b.value })
}

func (a intOrString) equal(b intOrString) bool {
	return a.number == b.number && equalBy(a.str, b.str, func(a, b *string) bool { return *a == *b })
}

// equalBy compares what two pointers point to, if they point to something.
func equalBy[T any](a, b *T, equal func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(a, b)
}
