package podwarning

import (
	"cmp"
	"iter"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

type container struct {
	*wire.Value
	list  string
	index int
}

func (w *writer) path(c container) string { return w.prefix + "spec." + c.list + wire.Index(c.index) }

// containers returns the containers of a pod in the order of
// VisitContainersWithPath in pkg/apis/core/pods/helpers.go. Ephemeral containers
// are last, and behind a gate up to 1.24.
func (w *writer) containers(spec *wire.Value) iter.Seq[container] {
	return func(yield func(container) bool) {
		for _, list := range [...]string{"initContainers", "containers", "ephemeralContainers"} {
			all := spec.Get(list).Elements()
			if len(all) == 0 || list == "ephemeralContainers" && w.Minor < 25 && !w.Enabled("EphemeralContainers") {
				continue
			}
			for i, c := range all {
				if !yield(container{c, list, i}) {
					return
				}
			}
		}
	}
}

// resources warns about memory and ephemeral storage with a fraction of a byte.
// In a Pod, requests default to the limits, but not in a pod template. Source:
// SetDefaults_Pod.
func (w *writer) resources(c container) {
	resources := c.Get("resources")
	if resources.IsNull() {
		return
	}
	limits, requests := resources.Get("limits"), resources.Get("requests")
	if limits.IsNull() && requests.IsNull() {
		return
	}
	for _, name := range [...]string{"memory", "ephemeral-storage"} {
		limit, request := limits.Get(name), requests.Get(name)
		if request == nil && w.prefix == "" && c.list != "ephemeralContainers" {
			request = limit
		}
		w.fractionOfByte(limit, w.path(c)+".resources.limits["+name+"]")
		w.fractionOfByte(request, w.path(c)+".resources.requests["+name+"]")
	}
}

// environment warns about repeated variables. From 1.28 on, there is no warning
// if the later definition uses the earlier value.
func (w *writer) environment(c container) {
	env := c.Get("env").Elements()
	if len(env) < 2 {
		return
	}
	var seen names
	for i, e := range env {
		name := e.Get("name")
		switch n := name.StringOr(""); {
		case !seen.repeated(n):
		case w.Minor < 28:
			w.warnField(apiserver.Advice, w.path(c)+".env"+wire.Index(i)+".name", "duplicate name "+strconv.Quote(n), cmp.Or(name, e))
		case hides(e, n):
			text := "hides previous definition of " + strconv.Quote(n)
			if w.Minor >= 30 {
				text += ", which may be dropped when using apply"
			}
			w.warnField(apiserver.Advice, w.path(c)+".env"+wire.Index(i), text, cmp.Or(name, e))
		}
	}
}

// hides reports whether e, the second definition of a variable, makes the first
// definition useless. This is the case if e does not refer to the first value, or
// only repeats it.
func hides(e *wire.Value, name string) bool {
	value, former := e.Get("value").StringOr(""), "$("+name+")"
	return e.Given("valueFrom") != nil || value == former || !strings.Contains(value, former)
}
