// Package differential compares kubevet's answers to random requests with the
// answers of the newest release's code.
package differential

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/oracle"
)

// generator generates objects from the objects of cases: it combines parts of several
// objects, and exchanges some values.
type generator struct {
	kinds   []string                    // apiVersion and kind, sorted
	objects map[string][]map[string]any // by kind
	scalars []any                       // possible values of fields
}

// newGenerator returns a generator with the objects of the cases whose kinds are wanted.
// Objects with a pod are used three times as often.
func newGenerator(cases []oracle.Case, wanted func(apiVersion, kind string) bool) *generator {
	g := &generator{objects: map[string][]map[string]any{}}
	seen := map[any]bool{}
	for i := range cases {
		c := &cases[i]
		for _, data := range append(slices.Clone(c.Setup), c.Obj) {
			var obj map[string]any
			if json.Unmarshal(data, &obj) != nil {
				continue
			}
			apiVersion, _ := obj["apiVersion"].(string)
			kind, _ := obj["kind"].(string)
			if apiVersion == "" || kind == "" || !wanted(apiVersion, kind) {
				continue
			}
			key := apiVersion + " " + kind
			g.objects[key] = append(g.objects[key], obj)
			collect(obj, seen, &g.scalars)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(g.objects)) {
		g.kinds = append(g.kinds, key)
		if _, kind, _ := strings.Cut(key, " "); slices.Contains(oracle.Workloads, kind) {
			g.kinds = append(g.kinds, key, key)
		}
	}
	return g
}

// collect appends the scalars in a value, in a fixed order.
func collect(v any, seen map[any]bool, into *[]any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			collect(v[name], seen, into)
		}
	case []any:
		for _, item := range v {
			collect(item, seen, into)
		}
	default:
		if text, ok := v.(string); ok && len(text) > 100 || seen[v] {
			return
		}
		seen[v] = true
		*into = append(*into, v)
	}
}

// object generates an object of a random kind.
func (g *generator) object(r *rand.Rand) map[string]any {
	all := g.objects[g.kinds[r.IntN(len(g.kinds))]]
	obj := clone(all[r.IntN(len(all))]).(map[string]any)
	for range r.IntN(4) {
		g.blend(r, obj, clone(all[r.IntN(len(all))]).(map[string]any))
	}
	if r.IntN(2) == 0 {
		g.mutate(r, obj, 1+r.IntN(3))
	}
	return obj
}

// changed returns a possible replacement of an object.
func (g *generator) changed(r *rand.Rand, old map[string]any) map[string]any {
	obj := clone(old).(map[string]any)
	all := g.objects[old["apiVersion"].(string)+" "+old["kind"].(string)]
	switch r.IntN(3) {
	case 0:
		g.blend(r, obj, clone(all[r.IntN(len(all))]).(map[string]any))
	case 1:
		g.mutate(r, obj, 1+r.IntN(3))
	}
	identify(obj, old)
	return obj
}

// identify copies the identity of old to obj.
func identify(obj, old map[string]any) {
	obj["apiVersion"], obj["kind"] = old["apiVersion"], old["kind"]
	meta, ok := obj["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		obj["metadata"] = meta
	}
	was, _ := old["metadata"].(map[string]any)
	for _, field := range []string{"name", "namespace", "generateName", "uid"} {
		if value, ok := was[field]; ok {
			meta[field] = value
		} else {
			delete(meta, field)
		}
	}
}

// blend merges another object of the same kind into an object. It unites maps. Of two
// lists, it takes one or both.
func (g *generator) blend(r *rand.Rand, into, from map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		value := from[name]
		old, there := into[name]
		a, isMap := old.(map[string]any)
		b, bothMaps := value.(map[string]any)
		x, isList := old.([]any)
		y, bothLists := value.([]any)
		switch {
		case !there:
			if r.IntN(4) > 0 {
				into[name] = value
			}
		case isMap && bothMaps:
			g.blend(r, a, b)
		case isList && bothLists:
			switch r.IntN(4) {
			case 0:
				into[name] = value
			case 1:
				into[name] = append(x, y...)
			case 2:
				if len(x) > 0 && len(y) > 0 {
					p, first := x[0].(map[string]any)
					q, second := y[0].(map[string]any)
					if first && second {
						g.blend(r, p, q)
					}
				}
			}
		case name != "apiVersion" && name != "kind" && r.IntN(3) == 0:
			into[name] = value
		}
	}
}

// mutate exchanges n values, removes them or sets them to null.
func (g *generator) mutate(r *rand.Rand, obj map[string]any, n int) {
	for range n {
		g.mutateIn(r, obj, 0)
	}
}

func (g *generator) mutateIn(r *rand.Rand, v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if depth == 0 {
			names = slices.DeleteFunc(names, func(n string) bool { return n == "apiVersion" || n == "kind" })
		}
		if len(names) == 0 {
			return
		}
		name := names[r.IntN(len(names))]
		v[name] = g.value(r, v[name], depth)
		if r.IntN(12) == 0 && depth > 0 {
			delete(v, name)
		}
	case []any:
		if len(v) == 0 {
			return
		}
		i := r.IntN(len(v))
		v[i] = g.value(r, v[i], depth)
	}
}

// value returns a changed value. In an object or list, it usually changes a nested value.
func (g *generator) value(r *rand.Rand, old any, depth int) any {
	switch old.(type) {
	case map[string]any, []any:
		if r.IntN(20) > 0 || depth == 0 {
			g.mutateIn(r, old, depth+1)
			return old
		}
		return nil
	}
	if r.IntN(8) == 0 {
		return nil
	}
	other := g.scalars[r.IntN(len(g.scalars))]
	// The server refuses a value of another type at once, so a few of these requests are
	// enough.
	if !sameType(old, other) && r.IntN(10) > 0 {
		return old
	}
	return other
}

func sameType(a, b any) bool {
	switch a.(type) {
	case string:
		_, ok := b.(string)
		return ok
	case bool:
		_, ok := b.(bool)
		return ok
	case float64:
		_, ok := b.(float64)
		return ok
	}
	return a == nil
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[name] = clone(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = clone(item)
		}
		return out
	}
	return v
}
