package contention

import "slices"

// collection is the target of a delete request without an object name.
type collection struct{ group, resource, namespace string }

// collections returns, for each collection, the requests that deleted all its objects or those that
// a selector matches. They are stored as the writes to an object without a name.
func collections(objects []*object) map[collection][]observation {
	out := map[collection][]observation{}
	for _, o := range objects {
		if o.Name == "" {
			out[collection{o.Group, o.Resource, o.Namespace}] = o.writes
		}
	}
	return out
}

// withCollections adds deletes of an object's collection to its writes: the last delete before each
// creation that follows no delete of the object itself. It adds none if they explain fewer than
// half of these creations. Then something else deletes the object, such as the garbage collector.
func withCollections(writes, deletes []observation) []observation {
	if len(deletes) == 0 {
		return writes
	}
	out := make([]observation, 0, len(writes))
	explained, open := 0, 0
	for i, w := range writes {
		made := w.how == HowCreate || w.flags&flagMade != 0
		if made && i > 0 && writes[i-1].how != HowDelete {
			open++
			n, _ := slices.BinarySearchFunc(deletes, w, compareWrites)
			if n > 0 && deletes[n-1].at > writes[i-1].at {
				explained++
				d := deletes[n-1]
				d.state, d.hooks, d.kind = 0, 0, kindNone
				out = append(out, d)
			}
		}
		out = append(out, w)
	}
	if 2*explained < open {
		return writes
	}
	return out
}
