package apiserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
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
	// Body is the JSON text that New was parsed from, from New's first byte
	// on; only the decoding errors of 1.16 to 1.22 quote it. nil where the
	// client makes the JSON.
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
	if got := gotype.DecodePodSpec(s.Minor, path, spec, hooksOnly); got.Error != "" {
		return []Cause{{Text: got.Error, Code: http.StatusBadRequest, At: got.At}}
	}
	p := readPodSpec(s.Minor, spec)
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
// What differs between minors, with the file of k8s.io/kubernetes that says so:
//
//	decoding    1.16–1.22 json-iterator, 1.23– sigs.k8s.io/json
//	unknown     a field is dropped, with a warning or refusal from 1.25 on
//	fields      lifecycle.preStop.sleep 1.29–, initContainers.restartPolicy 1.28–,
//	            lifecycle.stopSignal 1.33–
//	grace       defaults to 30 in all minors (pkg/apis/core/v1/defaults.go); a
//	            Pod's negative one becomes 1 from 1.27 on (conversion.go)
//	dropping    sleep behind PodLifecycleSleepAction: 1.29 leaves the handler
//	            empty, 1.30–1.36 drops that too (pkg/api/pod/util.go)
//	sleep       1.29–1.31 at least 1; 1.32–1.36 zero too behind
//	            PodLifecycleSleepActionAllowZero or if zero is stored; 1.37 zero
//	            too (pkg/apis/core/validation/validation.go)
//	init        1.16–1.24 the handlers are validated, and refused with an
//	            address; 1.25–1.27 refused; 1.28– refused unless sidecars
//	StatefulSet no template validation up to 1.33 (pkg/apis/apps/validation)
//
// Checked against the recorded answers in testdata and against the validation
// of the releases themselves, which was run on random objects beside it.
func Sleep(s Server, r Request) Answer {
	w := workloadOf(r.APIVersion, r.Kind)
	if w == nil || !w.servedBy(s.Minor) || r.New == nil || r.New.Kind != wire.Map {
		return Answer{}
	}
	got := gotype.DecodePart(s.Minor, gotype.Object{
		APIVersion: r.APIVersion, Kind: r.Kind, Value: r.New, Duplicates: r.Duplicates, Body: r.Body,
	}, s.TellsDropped(r.Validation), hooksOnly)
	if got.Error != "" {
		return Answer{Causes: []Cause{r.Undecoded(got.Error, got.At, got.Inexact)}}
	}
	spec := readPodSpec(s.Minor, w.podSpec(r.New))
	var a Answer
	if len(got.Dropped) > 0 && spec.hasHooks() {
		if r.Validation == Strict {
			texts := make([]string, len(got.Dropped))
			for i := range got.Dropped {
				texts[i] = got.Dropped[i].Text
			}
			return Answer{Causes: []Cause{r.Undecoded("strict decoding error: "+strings.Join(texts, ", "), got.Dropped[0].Key.Value, false)}}
		}
		for i := range got.Dropped {
			d := &got.Dropped[i]
			a.Warnings = append(a.Warnings, Warning{Field: d.Field, Text: d.Text, At: d.Key.Value, Key: &d.Key, Class: UnknownField})
		}
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
	p := readPodSpec(s.Minor, w.podSpec(obj))
	p.setDefaults(s.Minor, w.isPod())
	return &p
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
		if s.Minor < 34 || old != nil && (len(old.ephemeralContainers) > 0 || len(s.validate(path, old, old, false)) > 0) {
			return nil
		}
	}
	causes := s.validate(path, spec, old, w.isPod())
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

// validate re-states ValidatePodTemplateSpec, or ValidatePodCreate and what
// ValidatePodUpdate has in common with it for a pod. That ephemeral containers
// have no business there is said only of those with hooks.
func (s Server) validate(path string, spec, old *podSpec, isPod bool) []Cause {
	v := validator{minor: s.Minor, allowZero: s.allowZero(old)}
	v.podSpec(path, spec)
	if slices.ContainsFunc(spec.ephemeralContainers, func(c container) bool { return c.lifecycle != nil }) {
		switch {
		case !isPod:
			v.forbidden(path+".ephemeralContainers", spec.ephemeralAt, "ephemeral containers not allowed in pod template")
		case old == nil:
			v.forbidden(path+".ephemeralContainers", spec.ephemeralAt, "cannot be set on create")
		}
	}
	return distinct(v.causes)
}

// distinct leaves each cause once, where it is first.
func distinct(causes []Cause) []Cause {
	if len(causes) < 2 {
		return causes
	}
	seen := make(map[[2]string]bool, len(causes))
	return slices.DeleteFunc(causes, func(c Cause) bool {
		key := [2]string{c.Field, c.Text}
		defer func() { seen[key] = true }()
		return seen[key]
	})
}

// allowZero re-states GetValidationOptionsFromPodSpecAndMeta of
// pkg/api/pod/util.go: a zero that is stored already allows every zero in the
// same pod.
func (s Server) allowZero(old *podSpec) bool {
	if s.Minor < 32 || s.Minor >= 37 {
		return s.Minor >= 37
	}
	if s.Enabled(gateSleepZero) {
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
