package contention

import "slices"

// maxSkew is how far the clocks of a cluster's servers are apart at most, in
// microseconds.
const maxSkew = 5e6

// ordered gives the writes in the order in which the server carried them out:
// by time, and those whose versions are known among each other by version, as
// far as clocks may be wrong. Versions of different clusters, or from before a
// restored backup, do not compare.
func ordered(writes []observation) []observation {
	out := slices.Clone(writes)
	var at []int // the versioned ones
	for i := range out {
		if out[i].version != 0 {
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
