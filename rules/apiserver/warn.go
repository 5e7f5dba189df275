package apiserver

import (
	"maps"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// graceWarning is the warning of pkg/api/pod/warnings.go about a template's
// negative grace period, 1.27 on. A pod's own has become 1 by then.
//
// On update the strategies warn only if they raise the generation, because
// the spec changed (of a PodTemplate or DaemonSet: its template). That is told
// from what is written: a default that is spelled out counts as a change. For
// a ReplicationController they warn of the old template.
func (s Server) graceWarning(w *workload, r Request, spec, old *podSpec) []Warning {
	if s.Minor < 27 || w.isPod() {
		return nil
	}
	if old != nil {
		watched := []string{"spec"}
		switch w.kind {
		case "PodTemplate":
			watched = []string{"template"}
		case "DaemonSet":
			watched = []string{"spec", "template"}
		case "ReplicationController":
			spec = old
		}
		if same(r.New.At(watched...), r.Old.At(watched...)) {
			return nil
		}
	}
	if *spec.grace >= 0 {
		return nil
	}
	field := w.path() + ".terminationGracePeriodSeconds"
	return []Warning{{Field: field, Text: field + ": must be >= 0; negative values are invalid and will be treated as 1", At: spec.graceAt}}
}

// same reports whether two values are written alike, whatever the order of
// their fields; a null is an absent field.
func same(a, b *wire.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	if a.Kind != b.Kind || a.Text != b.Text || !slices.EqualFunc(a.Items, b.Items, same) {
		return false
	}
	given := func(v *wire.Value) map[string]*wire.Value {
		m := make(map[string]*wire.Value, len(v.Fields))
		for _, f := range v.Fields {
			if !f.Value.IsNull() {
				m[f.Name] = f.Value
			}
		}
		return m
	}
	return maps.EqualFunc(given(a), given(b), same)
}
