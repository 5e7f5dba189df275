package contention

import "slices"

// collection is the target of a delete request without the name of an object.
type collection struct{ group, resource, namespace string }

// collections returns the requests that deleted objects of a collection: all
// objects, or those that a selector matches. They are stored as writes to an
// object without a name.
func collections(objects []*object) map[collection][]observation {
	out := map[collection][]observation{}
	for _, o := range objects {
		if o.Name == "" {
			out[collection{o.Group, o.Resource, o.Namespace}] = o.writes
		}
	}
	return out
}

// withCollections adds deletes of the whole collection to the writes of an
// object. It looks for creations that no delete of the object precedes. Each of
// them gets the last delete of the collection that comes after the previous
// write. If fewer than half of these creations get a delete, withCollections
// adds none, because something else deletes the object, such as the garbage
// collector.
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
