//go:build !js

package policy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// setPlace sets f.At and f.Field, the value to which a finding about the failure
// points. It is the innermost value that contains all values that the expression
// reads. If this is the whole object, spec, status or metadata, setPlace sets
// nothing.
func (d *dispatch) setPlace(f *Failure, reads []expression.Path) {
	var common []string
	found := false
	for _, path := range reads {
		f.Reads = append(f.Reads, path.String())
		if path[0] != "object" || len(path) == 1 {
			continue
		}
		for _, steps := range existingPaths(d.sent.Request.New, path[1:]) {
			if !found {
				common, found = steps, true
				continue
			}
			n := 0
			for n < len(common) && n < len(steps) && common[n] == steps[n] {
				n++
			}
			common = common[:n]
		}
	}
	if len(common) == 0 || len(common) == 1 && (common[0] == "spec" || common[0] == "metadata" || common[0] == "status") {
		return
	}
	f.At, f.Field = d.sent.Request.New, fieldPath(common)
	for _, step := range common {
		f.At = child(f.At, step)
	}
}

// maxExisting limits the paths that existingPaths returns, because a path through
// nested lists can match very many values.
const maxExisting = 100

// existingPaths returns the paths of all values that a path matches. If a field
// is missing, it returns the path of the value that lacks the field.
func existingPaths(v *wire.Value, path expression.Path) [][]string {
	all := [][]string{nil}
	values := []*wire.Value{v}
	for _, step := range path {
		var next [][]string
		var nextValues []*wire.Value
		add := func(i int, step string, value *wire.Value) {
			next = append(next, append(slices.Clip(all[i]), step))
			nextValues = append(nextValues, value)
		}
		for i, value := range values {
			if step != expression.Each {
				if item := child(value, step); item != nil {
					add(i, step, item)
					continue
				}
			} else if len(next) < maxExisting {
				for _, field := range value.Entries() {
					add(i, field.Name, field.Value)
				}
				for j, item := range value.Elements() {
					add(i, wire.Index(j), item)
				}
				if len(value.Entries())+len(value.Elements()) > 0 {
					continue
				}
			}
			next, nextValues = append(next, all[i]), append(nextValues, nil) // the field or item is missing here
		}
		all, values = next, nextValues
		if len(all) > 2*maxExisting {
			return all[:2*maxExisting]
		}
	}
	return all
}

func child(v *wire.Value, step string) *wire.Value {
	if v != nil && v.Kind == wire.List && strings.HasPrefix(step, "[") {
		i, err := strconv.Atoi(strings.Trim(step, "[]"))
		if err != nil || i < 0 || i >= len(v.Items) {
			return nil
		}
		return v.Items[i]
	}
	return v.Get(step)
}

func fieldPath(steps []string) string { return expression.Path(steps).String() }
