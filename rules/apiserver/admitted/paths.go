//go:build !js

package admitted

import "strings"

// Steps splits a path that Plugins or Prepared returned. A step is the name of a
// field, the index of an item, the key of a map, or "*" for all items. For
// example, `metadata.labels["a.b/c"]` has the steps metadata, labels and a.b/c.
// "spec.ports[0].nodePort" has the steps spec, ports, 0 and nodePort.
func Steps(path string) (steps []string) {
	for path != "" {
		var step string
		switch {
		case path[0] == '.':
			path = path[1:]
			continue
		case strings.HasPrefix(path, `["`):
			step, path, _ = strings.Cut(path[2:], `"]`)
		case path[0] == '[':
			step, path, _ = strings.Cut(path[1:], "]")
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			step, path = path[:end], path[end:]
		}
		steps = append(steps, step)
	}
	return steps
}
