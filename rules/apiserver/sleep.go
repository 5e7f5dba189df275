package apiserver

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// FieldValidation is the fieldValidation parameter of a request: what becomes
// of fields that the server does not know and of repeated ones. The zero
// value is the server's default.
type FieldValidation uint8

// The values of fieldValidation.
const (
	// Warn drops the fields and warns.
	Warn FieldValidation = iota
	// Ignore drops them without a word.
	Ignore
	// Strict refuses the object; kubectl asks for it by default.
	Strict
)

// Request is an object that is sent to a server.
type Request struct {
	APIVersion, Kind string
	// Old is the stored object as the server would show it; nil on create.
	Old *wire.Value
	// New is the object, on update the whole of it.
	New *wire.Value
	// Validation is the request's fieldValidation.
	Validation FieldValidation
	// Duplicates are the fields that the body of New repeats. nil is fine
	// where the caller reports them otherwise.
	Duplicates []wire.Duplicate
	// Body is the JSON text that New was parsed from; only some texts of
	// 1.16 to 1.22 quote it. nil where the client makes the JSON.
	Body []byte
}

// Answer is what a server answers about the lifecycle hooks of an object's
// containers and about the grace period that bounds them.
type Answer struct {
	// Causes are the errors in the server's order, each once; none means that
	// the hooks are accepted. A single cause of code 400 is all the server
	// says of a body that it cannot decode.
	Causes []Cause
	// Warnings are sent beside, in the server's order.
	Warnings []Warning
}

// SleepCreate says what a server answers about the lifecycle hooks when an
// object is created: see Sleep.
func SleepCreate(s Server, apiVersion, kind string, obj *wire.Value) []Cause {
	return Sleep(s, Request{APIVersion: apiVersion, Kind: kind, New: obj}).Causes
}

// SleepUpdate says the same when old is replaced by obj.
func SleepUpdate(s Server, apiVersion, kind string, old, obj *wire.Value) []Cause {
	return Sleep(s, Request{APIVersion: apiVersion, Kind: kind, Old: old, New: obj}).Causes
}

// SleepWarnings gives the warnings that come with SleepCreate's answer:
// unknown fields in a lifecycle (1.25 on) and a pod template's negative grace
// period (1.27 on).
func SleepWarnings(s Server, apiVersion, kind string, obj *wire.Value) []Warning {
	return Sleep(s, Request{APIVersion: apiVersion, Kind: kind, New: obj}).Warnings
}

// SleepTemplate judges a pod spec that stands at path in a custom resource as
// if it were that of a new pod template, which is what the resource's
// controller will make of it. Missing fields get the server's defaults, which
// the controller may know better.
func SleepTemplate(s Server, path string, spec *wire.Value) []Cause {
	d := decoder{minor: s.Minor, root: spec, path: []byte(path), names: strings.Split(path, ".")}
	var p podSpec
	podSpecType.read(&d, spec, &p)
	if d.err != nil {
		return []Cause{{Text: d.err.text, Code: http.StatusBadRequest, At: d.err.at}}
	}
	p.setDefaults(s.Minor, false)
	p.dropDisabled(s, nil)
	return s.validate(path, &p, nil, false)
}

// Sleep says what a server answers about the lifecycle hooks of an object's
// containers, sleep actions above all: it decodes, sets defaults, drops what
// its gates disable and validates, as the server does. Other errors of the
// object are left out; where they come first, as a wrong type elsewhere does,
// the server may not get as far.
//
// An object that is no built-in workload, or whose version the minor does not
// serve, gets no answer.
//
// Checked against the source of every minor from 1.16 to 1.37 and against the
// recorded answers in testdata.
func Sleep(s Server, r Request) Answer {
	w := workloadOf(r.APIVersion, r.Kind)
	if w == nil || !w.servedBy(s.Minor) || r.New == nil || r.New.Kind != wire.Map {
		return Answer{}
	}
	refuse := func(text string, at *wire.Value) Cause {
		// transformDecodeError, apiserver/pkg/endpoints/handlers/rest.go.
		text = w.kind + " in version \"" + w.version() + "\" cannot be handled as a " + w.kind + ": " + text
		return Cause{Text: text, Code: http.StatusBadRequest, At: at}
	}

	d := decoder{minor: s.Minor, root: r.New, body: r.Body}
	var spec podSpec
	if d.object(w, 0, r.New, &spec); d.err != nil {
		return Answer{Causes: []Cause{refuse(d.err.text, d.err.at)}}
	}
	var a Answer
	if strict := s.strictErrors(&d, r); len(strict) > 0 {
		if r.Validation == Strict {
			texts := make([]string, len(strict))
			for i, e := range strict {
				texts[i] = e.Text
			}
			return Answer{Causes: []Cause{refuse("strict decoding error: "+strings.Join(texts, ", "), strict[0].At)}}
		}
		a.Warnings = strict
	}

	spec.setDefaults(s.Minor, w.isPod())
	var old *podSpec
	if r.Old != nil {
		old = storedSpec(s, w, r.Old)
	}
	spec.dropDisabled(s, old)
	a.Causes = s.judge(w, r, &spec, old)
	if len(a.Causes) == 0 {
		a.Warnings = append(a.Warnings, s.graceWarning(w, r, &spec, old)...)
	}
	return a
}

// storedSpec reads the stored object. The server wrote it, so that what does
// not decode is left out; fields that it does not know it has lost.
func storedSpec(s Server, w *workload, obj *wire.Value) *podSpec {
	var p podSpec
	d := decoder{minor: max(s.Minor, 23), root: obj} // 23: go on after an error
	d.object(w, 0, obj, &p)
	if s.Minor < 28 {
		for c := range p.all {
			c.restartPolicy = ""
		}
	}
	p.setDefaults(s.Minor, w.isPod())
	return &p
}

// strictErrors gives the texts about unknown and repeated fields, in the order
// of the body, as the server sends them as warnings or refuses them.
// ServerSideFieldValidation is off before 1.25.
func (s Server) strictErrors(d *decoder, r Request) []Warning {
	if r.Validation == Ignore || s.Minor < 23 || s.Minor < 27 && !s.gate(gateFieldValidation) {
		return nil
	}
	type placed struct {
		Warning
		pos wire.Pos
	}
	var all []placed
	for _, u := range d.strict {
		all = append(all, placed{Warning{Field: u.path, Text: `unknown field "` + u.path + `"`, At: u.at}, u.pos})
	}
	for _, dup := range r.Duplicates {
		if strings.Contains(dup.Path, ".lifecycle") && strings.Contains(dup.Path, "ontainers[") {
			all = append(all, placed{Warning{Field: dup.Path, Text: `duplicate field "` + dup.Path + `"`}, dup.Pos})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Column, b.pos.Column))
	})
	var texts []Warning
	for _, p := range all {
		if !slices.ContainsFunc(texts, func(w Warning) bool { return w.Text == p.Text }) {
			texts = append(texts, p.Warning)
		}
	}
	return texts
}

// judge re-states the Validate and ValidateUpdate of the kinds' strategies,
// pkg/registry/{core,apps,batch}/*/strategy.go, as far as they concern hooks.
// Some of them validate the template twice on update (DaemonSet, ReplicaSet
// and ReplicationController up to 1.33, Job up to 1.36); each cause is
// given once.
func (s Server) judge(w *workload, r Request, spec, old *podSpec) []Cause {
	path := w.path()
	if w.kind == "StatefulSet" {
		// Templates are validated from 1.34 on, and on update only if the
		// stored one is valid: ValidateStatefulSetUpdate.
		if s.Minor < 34 || old != nil && len(s.validate(path, old, old, false)) > 0 {
			return nil
		}
	}
	causes := s.validate(path, spec, old, w.isPod() && old == nil)
	if old == nil {
		return causes
	}
	switch w.kind {
	case "Pod":
		causes = append(causes, s.podUpdate(r, spec, old)...)
	case "Job":
		causes = append(causes, s.jobUpdate(r, spec, old)...)
	}
	return causes
}

// validate re-states ValidatePodTemplateSpec, or ValidatePodCreate for a new
// pod.
func (s Server) validate(path string, spec, old *podSpec, newPod bool) []Cause {
	v := validator{minor: s.Minor, allowZero: s.allowZero(old)}
	v.podSpec(path, spec)
	if slices.ContainsFunc(spec.ephemeralContainers, func(c container) bool { return c.lifecycle != nil }) {
		switch {
		case newPod:
			v.forbidden(path+".ephemeralContainers", spec.ephemeralAt, "cannot be set on create")
		case path != "spec":
			v.forbidden(path+".ephemeralContainers", spec.ephemeralAt, "ephemeral containers not allowed in pod template")
		}
	}
	return v.causes
}

// allowZero re-states GetValidationOptionsFromPodSpecAndMeta of
// pkg/api/pod/util.go: a zero that is stored already allows every zero in the
// same pod.
func (s Server) allowZero(old *podSpec) bool {
	if s.Minor < 32 || s.Minor >= 37 {
		return s.Minor >= 37
	}
	if s.gate(gateSleepZero) {
		return true
	}
	if old != nil {
		for a := range old.sleeps {
			if a.seconds == 0 {
				return true
			}
		}
	}
	return false
}
