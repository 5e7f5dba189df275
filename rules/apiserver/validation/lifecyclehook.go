package validation

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// The feature gates of lifecycle hooks.
const (
	gateSleepAction = "PodLifecycleSleepAction"
	gateSleepZero   = "PodLifecycleSleepActionAllowZero"
	gateStopSignals = "ContainerStopSignals"
)

// LifecycleHooks returns the errors of a server about lifecycle hooks and grace
// periods if the object of a request is created. Other errors are left out. If a
// hook or a grace period does not decode, the result is a single cause of code
// 400.
//
// It returns nil for kinds that are not built-in workloads, and for versions that
// the minor cannot serve.
func LifecycleHooks(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	api, known := lifecycle.LookupGV(r.APIVersion, r.Kind)
	if _, ok := apiserver.PodSpecPath(r.APIVersion, r.Kind); !ok || !known || !api.Servable().Has(s.Minor) {
		return nil
	}
	o := gotype.Object{APIVersion: r.APIVersion, Kind: r.Kind, Value: r.New, Duplicates: r.Duplicates, Body: r.Body}
	if got := gotype.DecodePart(s.Minor, o, false, lifecycleFields); got.Error != "" {
		return []apiserver.Cause{r.Undecoded(got.Error, got.At, got.Inexact)}
	}
	return aboutLifecycleHooks(Causes(s, r))
}

// TemplateLifecycleHooks returns the errors about the hooks of a pod spec in a
// custom resource. It checks the spec as in a new pod template, which a
// controller will probably create. path leads to the spec. Missing fields get the
// server's defaults, which can differ from the controller's.
func TemplateLifecycleHooks(s apiserver.Server, path string, spec *wire.Value) []apiserver.Cause {
	if got := gotype.DecodePodSpec(s.Minor, path, spec, lifecycleFields); got.Error != "" {
		return []apiserver.Cause{{Text: got.Error, Code: http.StatusBadRequest, At: got.At}}
	}
	v := validator{server: s, minor: s.Minor}
	n := root(spec)
	v.podSpec(n.withPath(n.p.child(path)), node{}, false, nil)
	return aboutLifecycleHooks(distinct(v.causes))
}

func aboutLifecycleHooks(causes []apiserver.Cause) []apiserver.Cause {
	return slices.DeleteFunc(causes, func(c apiserver.Cause) bool { return !c.LifecycleHook })
}

// lifecycleFields reports whether LifecycleHooks reads a field of a Go struct (read),
// and whether it decodes everything below the field (whole). It decodes lifecycles,
// and reads the fields around them and the grace period.
func lifecycleFields(structure, name string) (read, whole bool) {
	switch structure {
	case "v1.PodSpec":
		read = name == "terminationGracePeriodSeconds" || slices.Contains(containerLists, name)
	case "v1.Container", "v1.EphemeralContainer":
		whole = name == "lifecycle"
		read = whole || name == "name" || name == "restartPolicy"
	default:
		read = name == "spec" || name == "template" || name == "jobTemplate"
	}
	return read, whole
}

// lifecycleOptions are the properties of a pod that affect the checks of its
// lifecycle hooks.
type lifecycleOptions struct {
	// stored is the pod spec of the stored object. It is absent on create.
	stored node
	// grace is the grace period in seconds.
	grace int64
	// allowZero is set if sleep actions of zero seconds are allowed.
	allowZero bool
	// dropSleep and dropStopSignal are set if the server drops these fields.
	dropSleep, dropStopSignal bool
}

// lifecycleOptions returns the options for checking the current pod. The server
// keeps a field with a disabled gate if the stored pod has the field. It allows
// sleeps of zero seconds if the stored pod has one. Source:
// GetValidationOptionsFromPodSpecAndMeta and dropDisabledFields in
// pkg/api/pod/util.go.
func (v *validator) lifecycleOptions() *lifecycleOptions {
	if v.pod.lifecycle != nil {
		return v.pod.lifecycle
	}
	path, _ := apiserver.PodSpecPath(v.req.APIVersion, v.req.Kind)
	stored := root(v.req.Old).at(strings.Split(path, ".")...)
	var sleep, zero, stopSignal bool
	for c := range v.allContainers(stored) {
		l := c.get("lifecycle")
		stopSignal = stopSignal || l.has("stopSignal")
		for _, field := range handlerFields {
			if action := l.at(field, "sleep"); action.isSet() {
				sleep = true
				zero = zero || action.num("seconds", 0) == 0
			}
		}
	}
	v.pod.lifecycle = &lifecycleOptions{
		stored:         stored,
		grace:          v.gracePeriod(v.pod.spec),
		allowZero:      v.minor >= 37 || v.minor >= 32 && (zero || v.server.Enabled(gateSleepZero)),
		dropSleep:      v.minor < 29 || v.minor < 37 && !sleep && !v.server.Enabled(gateSleepAction),
		dropStopSignal: v.minor < 33 || !stopSignal && !v.server.Enabled(gateStopSignals),
	}
	return v.pod.lifecycle
}

// gracePeriod returns the grace period of a pod spec in seconds. From 1.27 on,
// the server replaces a negative value by 1 in a pod, but not in a pod template.
// Source: pkg/apis/core/v1/conversion.go.
func (v *validator) gracePeriod(spec node) int64 {
	grace := spec.num("terminationGracePeriodSeconds", 30)
	if v.pod.isPod && v.minor >= 27 && grace < 0 {
		return 1
	}
	return grace
}

var handlerFields = []string{"postStart", "preStop"}

// lifecycleOf returns the lifecycle of a container without dropped fields. A
// server up to 1.29 that drops a sleep action keeps the empty handler. Later
// servers also drop a handler and a lifecycle without other fields. Source:
// dropDisabledFields.
func (v *validator) lifecycleOf(c node) node {
	l := c.get("lifecycle")
	if !l.isSet() {
		return l
	}
	o := v.lifecycleOptions()
	if o.dropSleep && v.minor >= 30 {
		for _, field := range handlerFields {
			if h := l.get(field); h.has("sleep") && !h.has("exec") && !h.has("httpGet") && !h.has("tcpSocket") {
				l.v = without(l.v, field)
			}
		}
	}
	stopSignal := v.minor >= 33 && l.str("stopSignal") != ""
	dropped := o.dropSleep && v.minor >= 30 && !stopSignal || o.dropStopSignal && stopSignal
	if dropped && !l.has("postStart") && !l.has("preStop") {
		return l.absent()
	}
	return l
}

// aboutHook calls check and sets LifecycleHook in the causes that it adds.
func (v *validator) aboutHook(check func()) {
	before := len(v.causes)
	check()
	for i := before; i < len(v.causes); i++ {
		v.causes[i].LifecycleHook = true
	}
}

// lifecycleHooks checks the lifecycle hooks of a container. It does not check
// stop signals, whose gate is off by default. Source: validateLifecycle.
func (v *validator) lifecycleHooks(c node) {
	l := v.lifecycleOf(c)
	for _, field := range handlerFields {
		if h := l.get(field); h.isSet() {
			v.aboutHook(func() {
				sleep := h.get("sleep")
				if v.lifecycleOptions().dropSleep {
					sleep = sleep.absent()
				}
				v.handler(h, sleep, v.sleepAction)
			})
		}
	}
}

// sleepAction checks the sleep action of a lifecycle hook. The text of 1.32 to
// 1.36 names a gate that does not exist. The real name is
// PodLifecycleSleepActionAllowZero. Source: validateSleepAction.
func (v *validator) sleepAction(n node) {
	o := v.lifecycleOptions()
	least, want, hint := int64(1), "greater than 0", ""
	switch {
	case o.allowZero:
		least, want = 0, "non-negative"
	case v.minor >= 32:
		hint = ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
	}
	seconds := n.num("seconds", 0)
	if seconds >= least && seconds <= o.grace {
		return
	}
	if s := n.get("seconds"); s.isSet() {
		n.owner = s.v
	}
	v.invalid(n, itoa(seconds), "must be "+want+" and less than terminationGracePeriodSeconds ("+itoa(o.grace)+")"+hint)
}

// noLifecycle adds an error if an init container that is not a sidecar has a
// lifecycle. Up to 1.24 the server's text contains memory addresses.
func (v *validator) noLifecycle(c node, detail string) {
	l := v.lifecycleOf(c)
	if !l.isSet() {
		return
	}
	v.aboutHook(func() {
		if v.minor > 24 {
			v.forbidden(l, detail)
			return
		}
		v.invalid(l, v.lifecycleText(l), detail)
		if l.has("postStart") || l.has("preStop") {
			v.inexact()
		}
	})
}

// lifecycleText returns a core.Lifecycle in the form of fmt's %#v, with 0x0 for
// every address.
func (v *validator) lifecycleText(l node) string {
	typ := "LifecycleHandler"
	if v.minor <= 22 {
		typ = "Handler"
	}
	pointer := func(field string) string {
		if l.has(field) {
			return "(*core." + typ + ")(0x0)"
		}
		return "(*core." + typ + ")(nil)"
	}
	return "core.Lifecycle{PostStart:" + pointer("postStart") + ", PreStop:" + pointer("preStop") + "}"
}

// lifecycleChanged reports whether an update changes hooks, or the grace period
// of a pod spec with hooks. From 1.22 on, a change from a negative grace period
// to 1 does not count.
func (v *validator) lifecycleChanged(spec node) bool {
	stored := v.lifecycleOptions().stored
	hooks, changed := false, false
	for _, field := range containerLists {
		list, old := spec.get(field), stored.get(field)
		changed = changed || list.length() != old.length()
		for i := range max(list.length(), old.length()) {
			l, before := v.lifecycleOf(list.itemOrNone(i)), v.lifecycleOf(old.itemOrNone(i))
			hooks = hooks || l.isSet() || before.isSet()
			changed = changed || !v.sameLifecycle(l, before)
		}
	}
	grace, before := v.gracePeriod(spec), v.gracePeriod(stored)
	return hooks && (changed || grace != before && (!v.pod.isPod || v.minor < 22 || before >= 0 || grace != 1))
}

// itemOrNone returns item i of a list, or an absent node if the list is shorter.
func (n node) itemOrNone(i int) node {
	if n.v == nil || i >= len(n.v.Items) {
		return n.absent()
	}
	return n.item(i)
}

func (v *validator) sameLifecycle(a, b node) bool {
	if !a.isSet() || !b.isSet() {
		return a.isSet() == b.isSet()
	}
	return (v.minor < 33 || a.str("stopSignal") == b.str("stopSignal")) &&
		v.sameHandler(a.get("postStart"), b.get("postStart")) && v.sameHandler(a.get("preStop"), b.get("preStop"))
}

// sameHandler reports whether two handlers are equal after defaults are set.
func (v *validator) sameHandler(a, b node) bool {
	if !a.isSet() || !b.isSet() {
		return a.isSet() == b.isSet()
	}
	for _, field := range []string{"exec", "httpGet", "tcpSocket", "sleep"} {
		if field == "sleep" && v.lifecycleOptions().dropSleep {
			continue
		}
		x, y := a.get(field), b.get(field)
		if x.isSet() != y.isSet() || !slices.Equal(x.get("command").texts(), y.get("command").texts()) ||
			x.strOr("path", "/") != y.strOr("path", "/") || x.strOr("scheme", "HTTP") != y.strOr("scheme", "HTTP") ||
			x.str("host") != y.str("host") || !same(x.v.Get("port"), y.v.Get("port")) ||
			!same(x.v.Get("httpHeaders"), y.v.Get("httpHeaders")) || x.num("seconds", 0) != y.num("seconds", 0) ||
			v.gated("H2CContainerProbe", x.get("protocol")).text() != v.gated("H2CContainerProbe", y.get("protocol")).text() {
			return false
		}
	}
	return true
}
