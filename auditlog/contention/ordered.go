package contention

import "slices"

// maxSkew is the largest difference between the clocks of a cluster's servers,
// in microseconds.
const maxSkew = 5e6

// ordered returns the writes in the order in which the server processed them,
// as far as known. It sorts them by time. If the times of two writes are closer
// than maxSkew, it sorts them by resource version. If the times differ by more,
// the versions are not compared, because they can come from two clusters, or
// from before and after a backup was restored.
func ordered(writes []observation) []observation {
	out := slices.Clone(writes)
	var at []int // indices of the writes with a version
	for i := range out {
		if out[i].version != 0 && out[i].flags&flagStated == 0 {
			at = append(at, i)
		}
	}
	for i := range at {
		for j := i; j > 0; j-- {
			a, b := &out[at[j-1]], &out[at[j]]
			if a.version <= b.version || b.at-a.at > maxSkew {
				break
			}
			*a, *b = *b, *a
		}
	}
	return out
}
