package conversion

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// limitSafety lowers the safety of a plan:
//   - to Review if servers cannot read the original object, or if only one of the
//     two APIs has a field of the object
//   - to Manual if the target's servers cannot read the new object, or if they
//     refuse the new object and older servers accept the original object
func (d *draft) limitSafety(from, to lifecycle.API, old *wire.Value, target lifecycle.Target) {
	before, known := newestKnown(from)
	if d.safety == Manual || !known {
		return
	}
	if oldOutcome := gotype.Decode(before, typed(from, old), false); oldOutcome.Error != "" {
		why := "."
		if !oldOutcome.Inexact {
			why = ": " + oldOutcome.Error + "."
		}
		d.review("Servers cannot read the object as it is%s", why)
		return
	}
	if newOutcome := gotype.Decode(target.To, typed(to, d.root), false); newOutcome.Error != "" {
		d.manual("Servers cannot read the converted object: %s.", newOutcome.Error)
		return
	}
	dropped := map[string]bool{}
	for _, f := range gotype.Unknown(target.To, typed(to, d.root)) {
		dropped[f.Field] = true
	}
	for _, f := range gotype.Unknown(before, typed(from, old)) {
		if !dropped[f.Field] && !inStatus(f.Field) {
			d.review("%s has no field %s, so servers up to %s drop it; in the new version it may count.", from, f.Field, before)
		}
		delete(dropped, f.Field)
	}
	for _, f := range slices.Sorted(maps.Keys(dropped)) {
		if !inStatus(f) {
			d.review("%s has no field %s: servers drop it.", to, f)
		}
	}
	// If older servers refuse the old object, the conversion is not the reason.
	if why := refusal(target.To, to, d.root, target); why != "" && refusal(before, from, old, target) == "" {
		d.manual("A server of %s refuses the converted object: %s", target.To, why)
	}
}

// newestKnown returns the last minor whose servers know the API. It returns false
// if package gotype does not have the type.
func newestKnown(api lifecycle.API) (lifecycle.Minor, bool) {
	m := api.Servable().Newest()
	return m, m >= lifecycle.Oldest && gotype.Known(api.GroupVersion(), api.Kind(), m)
}

func typed(api lifecycle.API, v *wire.Value) gotype.Object {
	return gotype.Object{APIVersion: api.GroupVersion(), Kind: api.Kind(), Value: v}
}

func inStatus(field string) bool {
	return field == "status" || strings.HasPrefix(field, "status.")
}

// refusal returns the error of a server of minor m when the object is created, or
// "".
func refusal(m lifecycle.Minor, api lifecycle.API, v *wire.Value, target lifecycle.Target) string {
	s := apiserver.Server{Minor: m, Gate: func(name string) bool { return target.GateEnabled(name, m) }}
	causes := answer.Refusal(s, apiserver.Request{APIVersion: api.GroupVersion(), Kind: api.Kind(), New: v, Validation: apiserver.Ignore})
	if len(causes) == 0 {
		return ""
	}
	c := causes[0]
	if c.Field != "" {
		return c.Field + ": " + c.Text
	}
	return c.Text
}
