package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// restartAlways is the restartPolicy that makes an init container a sidecar.
const restartAlways = "Always"

// validator re-states the part of pkg/apis/core/validation/validation.go that
// looks at lifecycles. What differs between minors:
//
//	validateSleepAction     1.29–1.31, 1.32–1.36 (zero behind a gate), 1.37
//	validateInitContainers  1.16–1.24, 1.25–1.27, 1.28–1.37
//	validateEphemeralContainers 1.16–1.24, 1.25–1.37
//	validateHTTPGetAction   1.16–1.36, 1.37 (protocol, alpha and off)
//	IsValidPortName         1.16–1.24, 1.25–1.37 (apimachinery)
type validator struct {
	minor lifecycle.Minor
	// grace is the grace period in seconds after defaulting.
	grace int64
	// allowZero is PodValidationOptions.AllowPodLifecycleSleepActionZeroValue.
	allowZero bool
	causes    []Cause
}

// field.Error's types that occur here, as (*Error).ErrorBody writes them.

func (v *validator) add(path string, at *wire.Value, text string) {
	v.causes = append(v.causes, Cause{Field: path, Text: text, Code: http.StatusUnprocessableEntity, At: at})
}

func (v *validator) required(path string, at *wire.Value, detail string) {
	text := "Required value"
	if detail != "" {
		text += ": " + detail
	}
	v.add(path, at, text)
}

func (v *validator) forbidden(path string, at *wire.Value, detail string) {
	v.add(path, at, "Forbidden: "+detail)
}

func (v *validator) invalid(path string, at *wire.Value, value, detail string) {
	v.add(path, at, "Invalid value: "+value+": "+detail)
}

// podSpec re-states ValidatePodSpec: containers before init containers before
// ephemeral ones.
func (v *validator) podSpec(path string, p *podSpec) {
	v.grace = *p.grace
	for i := range p.containers {
		v.lifecycle(index(path, "containers", i)+".lifecycle", p.containers[i].lifecycle)
	}
	v.initContainers(path, p.initContainers)
	v.ephemeralContainers(path, p.ephemeralContainers)
}

// initContainers re-states validateInitContainers.
func (v *validator) initContainers(path string, list []container) {
	at := func(i int) string { return index(path, "initContainers", i) + ".lifecycle" }
	switch {
	case v.minor <= 24:
		for i := range list {
			v.lifecycle(at(i), list[i].lifecycle)
		}
		for i := range list {
			if l := list[i].lifecycle; l != nil {
				v.invalid(at(i), l.at, l.goSyntax(v.minor), "must not be set for init containers")
				v.causes[len(v.causes)-1].Inexact = l.postStart != nil || l.preStop != nil
			}
		}
	case v.minor <= 27:
		for i := range list {
			if l := list[i].lifecycle; l != nil {
				v.forbidden(at(i), l.at, "may not be set for init containers")
			}
		}
	default:
		for i := range list {
			switch l := list[i].lifecycle; {
			case l == nil:
			case list[i].restartPolicy == restartAlways:
				v.lifecycle(at(i), l)
			default:
				v.forbidden(at(i), l.at, "may not be set for init containers without restartPolicy=Always")
			}
		}
	}
}

// ephemeralContainers re-states validateEphemeralContainers, whose quirk up to
// 1.24 is a list of one container within each, with an index of its own.
func (v *validator) ephemeralContainers(path string, list []container) {
	for i := range list {
		l := list[i].lifecycle
		if l == nil {
			continue
		}
		at := index(path, "ephemeralContainers", i)
		if v.minor <= 24 {
			if list[i].name == "" {
				continue
			}
			v.lifecycle(at+"[0].lifecycle", l)
		}
		v.forbidden(at+".lifecycle", l.at, "cannot be set for an Ephemeral Container")
	}
}

// lifecycle re-states validateLifecycle. Stop signals are behind a gate that
// is off by default and are not judged.
func (v *validator) lifecycle(path string, l *hooks) {
	if l == nil {
		return
	}
	if l.postStart != nil {
		v.handler(path+".postStart", l.postStart)
	}
	if l.preStop != nil {
		v.handler(path+".preStop", l.preStop)
	}
}

// handler re-states validateHandler: the first handler is validated, any
// other one is one too many.
func (v *validator) handler(path string, h *handler) {
	handlers := 0
	one := func(there bool, name string, at func() *wire.Value, validate func(path string)) {
		switch {
		case !there:
			return
		case handlers > 0:
			v.forbidden(path+"."+name, at(), "may not specify more than 1 handler type")
		default:
			validate(path + "." + name)
		}
		handlers++
	}
	one(h.exec != nil, "exec", func() *wire.Value { return h.exec.at }, func(path string) { v.exec(path, h.exec) })
	one(h.httpGet != nil, "httpGet", func() *wire.Value { return h.httpGet.at }, func(path string) { v.httpGet(path, h.httpGet) })
	one(h.tcpSocket != nil, "tcpSocket", func() *wire.Value { return h.tcpSocket.at }, func(path string) { v.port(path+".port", h.tcpSocket.port, h.tcpSocket.at) })
	one(h.sleep != nil, "sleep", func() *wire.Value { return h.sleep.at }, func(path string) { v.sleep(path, h.sleep) })
	if handlers == 0 {
		v.required(path, h.at, "must specify a handler type")
	}
}

// sleep re-states validateSleepAction. The gate that the text of 1.32 to 1.36
// names does not exist; the real name is PodLifecycleSleepActionAllowZero.
func (v *validator) sleep(path string, a *sleepAction) {
	least, want, hint := int64(1), "greater than 0", ""
	switch {
	case v.allowZero:
		least, want = 0, "non-negative"
	case v.minor >= 32:
		hint = ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
	}
	if a.seconds < least || a.seconds > v.grace {
		v.invalid(path, a.at, strconv.FormatInt(a.seconds, 10),
			fmt.Sprintf("must be %s and less than terminationGracePeriodSeconds (%d)%s", want, v.grace, hint))
	}
}

func (v *validator) exec(path string, a *execAction) {
	if len(a.command) == 0 {
		v.required(path+".command", a.at, "")
	}
}

// httpGet re-states validateHTTPGetAction; the path is never empty after
// defaulting.
func (v *validator) httpGet(path string, a *httpGetAction) {
	v.port(path+".port", a.port, a.at)
	if a.scheme != "HTTP" && a.scheme != "HTTPS" {
		scheme := strconv.Quote(a.scheme)
		if v.minor >= 34 { // a named string type, which ErrorBody writes as JSON from 1.34 on
			text, _ := json.Marshal(a.scheme) // a string cannot fail
			scheme = string(text)
		}
		v.add(path+".scheme", a.at, "Unsupported value: "+scheme+`: supported values: "HTTP", "HTTPS"`)
	}
	for _, h := range a.headers {
		if !isHeaderName(h.name) {
			v.invalid(path+".httpHeaders", h.at, strconv.Quote(h.name),
				"a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')")
		}
	}
}

// port re-states ValidatePortNumOrName, with IsValidPortNum and
// IsValidPortName of k8s.io/apimachinery/pkg/util/validation. owner is to
// blame where the port is missing.
func (v *validator) port(path string, p intOrString, owner *wire.Value) {
	at := p.at
	if at == nil {
		at = owner
	}
	if p.str == nil {
		if p.number < 1 || p.number > 65535 {
			v.invalid(path, at, strconv.Itoa(int(p.number)), "must be between 1 and 65535, inclusive")
		}
		return
	}
	name := *p.str
	wrong := func(bad bool, detail string) {
		if bad {
			v.invalid(path, at, strconv.Quote(name), detail)
		}
	}
	letter := "must contain at least one letter (a-z)"
	if v.minor <= 24 {
		letter = "must contain at least one letter or number (a-z, 0-9)"
	}
	wrong(len(name) > 15, "must be no more than 15 characters")
	wrong(name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isPortRune(r) }), "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
	wrong(!strings.ContainsFunc(name, isLowerLetter), letter)
	wrong(strings.Contains(name, "--"), "must not contain consecutive hyphens")
	wrong(strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"), "must not begin or end with a hyphen")
}

func isLowerLetter(r rune) bool { return 'a' <= r && r <= 'z' }

func isPortRune(r rune) bool { return isLowerLetter(r) || '0' <= r && r <= '9' || r == '-' }

func isHeaderName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isPortRune(r) && (r < 'A' || r > 'Z') })
}

// goSyntax is the %#v of a core.Lifecycle. Where the server has an address,
// it has 0x0.
func (l *hooks) goSyntax(minor lifecycle.Minor) string {
	typ := "LifecycleHandler"
	if minor <= 22 {
		typ = "Handler"
	}
	pointer := func(h *handler) string {
		if h == nil {
			return "(*core." + typ + ")(nil)"
		}
		return "(*core." + typ + ")(0x0)"
	}
	return "core.Lifecycle{PostStart:" + pointer(l.postStart) + ", PreStop:" + pointer(l.preStop) + "}"
}

// index is the path of a list's element.
func index(path, list string, i int) string {
	return path + "." + list + "[" + strconv.Itoa(i) + "]"
}
