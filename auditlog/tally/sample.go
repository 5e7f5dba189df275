package tally

import "slices"

// sample has the smallest fingerprints of the counted events. Equal events
// result in equal samples. Two samples show how many events two tallies have in
// common (Bar-Yossef and others, Counting Distinct Elements in a Data Stream,
// 2002).
type sample []uint64

// sampleSize is the number of fingerprints in a sample. The estimate then has
// an error of a few percent.
const sampleSize = 1024

func (s *sample) add(id uint64) {
	all := *s
	if len(all) == sampleSize && id >= all[sampleSize-1] {
		return
	}
	at, found := slices.BinarySearch(all, id)
	if found {
		return
	}
	if len(all) == sampleSize {
		all = all[:sampleSize-1]
	}
	*s = slices.Insert(all, at, id)
}

// Shared estimates which part of a state's events the tally has also counted: 0
// means none, 1 means all. The tally needs Config.Keep.
func (t *Tally) Shared(s *State) float64 {
	mine, others := t.sample, sample(s.Sample)
	if len(mine) == 0 || len(others) == 0 {
		return 0
	}
	// Compare the samples only up to the end of the shorter one, because both
	// are complete up to there.
	end := ^uint64(0)
	for _, one := range []sample{mine, others} {
		if len(one) == sampleSize {
			end = min(end, one[sampleSize-1])
		}
	}
	common, all := 0, 0
	for _, id := range others {
		if id > end {
			break
		}
		all++
		if _, found := slices.BinarySearch(mine, id); found {
			common++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}
