package contention

import (
	"encoding/json"
	"slices"
	"strings"
)

// ownedFields lists the paths in a set of managed fields
// (sigs.k8s.io/structured-merge-diff, fieldpath/serialize.go), sorted.
func ownedFields(raw []byte) []string {
	var tree any
	if json.Unmarshal(raw, &tree) != nil {
		return nil
	}
	var out []string
	var walk func(path string, v any, depth int)
	walk = func(path string, v any, depth int) {
		m, _ := v.(map[string]any)
		leaf := true
		for k, below := range m {
			if k == "." || depth > maxWalk {
				continue
			}
			kind, rest, ok := strings.Cut(k, ":")
			if !ok {
				continue
			}
			p := path
			switch kind {
			case "f":
				switch {
				case !plainKey(rest):
					p += `["` + clip(rest) + `"]`
				case p == "":
					p = rest
				default:
					p += "." + rest
				}
			case "k":
				var keys map[string]any
				if json.Unmarshal([]byte(rest), &keys) != nil {
					continue
				}
				var parts []string
				for name, value := range keys {
					text, _ := json.Marshal(value)
					parts = append(parts, name+"="+strings.Trim(string(text), `"`))
				}
				slices.Sort(parts)
				p += "[" + clip(strings.Join(parts, ",")) + "]"
			case "v":
				p += "[" + clip(rest) + "]"
			case "i":
				p += "[" + clip(rest) + "]"
			default:
				continue
			}
			leaf = false
			walk(p, below, depth+1)
		}
		if leaf && path != "" {
			out = append(out, path)
		}
	}
	walk("", tree, 0)
	slices.Sort(out)
	return slices.Compact(out)
}
