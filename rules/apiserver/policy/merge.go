//go:build !js

package policy

import (
	"reflect"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// merged applies the changes from before to after to the sent value v, and
// returns the result. Unchanged values keep their positions. A new value has the
// position of the closest value around it. Defaults are in before and after, so
// merged does not add them.
func merged(before, after any, v *wire.Value) *wire.Value { return merge(before, after, v, v) }

// merge does the work of merged for a part of the object. v is nil if the client
// did not send the part; merge then returns nil if the part does not change.
// around is the closest sent value that contains v.
func merge(before, after any, v, around *wire.Value) *wire.Value {
	if v != nil {
		around = v
	}
	if reflect.DeepEqual(before, after) {
		return v
	}
	switch after := after.(type) {
	case map[string]any:
		if oldValue, ok := before.(map[string]any); ok && (v == nil || v.Kind == wire.Map) {
			return mergeMaps(oldValue, after, v, around)
		}
	case []any:
		if oldValue, ok := before.([]any); ok && v != nil && v.Kind == wire.List && len(v.Items) == len(oldValue) {
			return mergeLists(oldValue, after, v)
		}
	}
	return withPosition(after, around)
}

func mergeMaps(before, after map[string]any, v, around *wire.Value) *wire.Value {
	result := &wire.Value{Kind: wire.Map, Pos: around.Pos, End: around.End}
	var fields []wire.Field
	for _, field := range v.Entries() {
		newValue, kept := after[field.Name]
		oldValue, known := before[field.Name]
		switch {
		case kept && known:
			field.Value = merge(oldValue, newValue, field.Value, around)
		case kept:
			field.Value = withPosition(newValue, field.Value)
		case known:
			continue // the policies removed it
		}
		fields = append(fields, field)
	}
	for _, name := range sortedKeys(after) {
		if v.Field(name) != nil {
			continue
		}
		value := merge(before[name], after[name], nil, around)
		if value == nil {
			continue // it is a default that the client did not send
		}
		fields = append(fields, wire.Field{Name: name, Pos: around.Pos, End: around.Pos, Value: value})
	}
	result.SetFields(fields)
	return result
}

// mergeLists merges two lists. If an item of before has a name, it matches items
// with equal names. If not, it matches equal items in their order. If no items are
// equal and the lists have the same length, it matches items with the same index.
func mergeLists(before, after []any, v *wire.Value) *wire.Value {
	result := &wire.Value{Kind: wire.List, Pos: v.Pos, End: v.End}
	for i, from := range align(before, after) {
		if from < 0 {
			result.Items = append(result.Items, withPosition(after[i], v))
		} else {
			result.Items = append(result.Items, merge(before[from], after[i], v.Items[from], v))
		}
	}
	return result
}

// align returns the index in before of each item of after, or -1 for a new item.
func align(before, after []any) []int {
	from := make([]int, len(after))
	names := map[string]int{}
	for i, item := range before {
		if name := itemName(item); name != "" {
			names[name] = i
		}
	}
	next := 0
	for i, item := range after {
		from[i] = -1
		if at, ok := names[itemName(item)]; ok {
			from[i] = at
			continue
		}
		if len(names) > 0 {
			continue
		}
		for j := next; j < len(before) && j < next+maxSkipped; j++ {
			if reflect.DeepEqual(before[j], item) {
				from[i], next = j, j+1
				break
			}
		}
	}
	if len(names) == 0 && len(before) == len(after) && !slices.ContainsFunc(from, func(i int) bool { return i >= 0 }) {
		for i := range from {
			from[i] = i
		}
	}
	return from
}

// maxSkipped is how many items of before align compares with an item of after to
// find an equal item.
const maxSkipped = 64

// itemName returns the field name of an item, which identifies the items of most
// lists in Kubernetes.
func itemName(item any) string {
	fields, _ := item.(map[string]any)
	name, _ := fields["name"].(string)
	return name
}

// maxChanged is the maximum number of paths that changedPaths returns.
const maxChanged = 100

func changedPaths(before, after any) []string {
	var all []string
	diff(before, after, nil, &all)
	return all
}

func diff(before, after any, path expression.Path, all *[]string) {
	if len(*all) >= maxChanged || reflect.DeepEqual(before, after) {
		return
	}
	switch after := after.(type) {
	case map[string]any:
		oldValue, ok := before.(map[string]any)
		if !ok {
			break
		}
		for _, name := range sortedKeys(oldValue) {
			if _, ok := after[name]; !ok {
				*all = append(*all, append(slices.Clip(path), name).String())
			}
		}
		for _, name := range sortedKeys(after) {
			if value, ok := oldValue[name]; ok {
				diff(value, after[name], append(slices.Clip(path), name), all)
			} else {
				*all = append(*all, append(slices.Clip(path), name).String())
			}
		}
		return
	case []any:
		oldValue, ok := before.([]any)
		if !ok {
			break
		}
		from := align(oldValue, after)
		for i, j := range from {
			if j >= 0 {
				diff(oldValue[j], after[i], append(slices.Clip(path), wire.Index(i)), all)
			} else {
				*all = append(*all, append(slices.Clip(path), wire.Index(i)).String())
			}
		}
		if len(after) < len(oldValue) || len(after) == len(oldValue) && !slices.IsSorted(from) {
			*all = append(*all, path.String())
		}
		return
	}
	*all = append(*all, path.String())
}
