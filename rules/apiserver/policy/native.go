//go:build !js

package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxDepth is the maximum depth of objects. No server decodes deeper objects.
const maxDepth = 10000

var errTooDeep = errors.New("exceeded max depth")

// native returns a value as apimachinery's JSON decoder returns it: as map,
// slice, string, bool, int64, float64 or nil.
func native(v *wire.Value) (any, error) { return nativeAt(v, 0) }

func nativeAt(v *wire.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	if v == nil {
		return nil, nil
	}
	switch v.Kind {
	case wire.Bool:
		return v.Text == "true", nil
	case wire.Number:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n, nil
		}
		f, err := strconv.ParseFloat(v.Text, 64)
		if err != nil || math.IsInf(f, 0) {
			return nil, fmt.Errorf("number %.32q is out of range", v.Text)
		}
		return f, nil
	case wire.String:
		return v.Text, nil
	case wire.Map:
		fields := make(map[string]any, len(v.Fields))
		for i := range v.Fields {
			value, err := nativeAt(v.Fields[i].Value, depth+1)
			if err != nil {
				return nil, err
			}
			fields[v.Fields[i].Name] = value
		}
		return fields, nil
	case wire.List:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			value, err := nativeAt(item, depth+1)
			if err != nil {
				return nil, err
			}
			items[i] = value
		}
		return items, nil
	}
	return nil, nil
}

// withPosition returns a native value as a wire.Value. All parts have the
// position of at.
func withPosition(value any, at *wire.Value) *wire.Value {
	v := &wire.Value{}
	if at != nil {
		v.Pos, v.End = at.Pos, at.End
	}
	switch value := value.(type) {
	case bool:
		v.Kind, v.Text = wire.Bool, strconv.FormatBool(value)
	case string:
		v.Kind, v.Text = wire.String, value
	case int64:
		v.Kind, v.Text = wire.Number, strconv.FormatInt(value, 10)
	case float64:
		v.Kind = wire.Number
		if text, err := json.Marshal(value); err == nil {
			v.Text = string(text)
		}
	case map[string]any:
		v.Kind = wire.Map
		fields := make([]wire.Field, 0, len(value))
		for _, name := range sortedKeys(value) {
			fields = append(fields, wire.Field{Name: name, Pos: v.Pos, End: v.Pos, Value: withPosition(value[name], at)})
		}
		v.SetFields(fields)
	case []any:
		v.Kind = wire.List
		for _, item := range value {
			v.Items = append(v.Items, withPosition(item, at))
		}
	}
	return v
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
