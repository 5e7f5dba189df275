package main

// heldout5Scenes returns 31 scenes with a fight, one of them over a status, and
// 33 that only look like a fight. They are a third blind set, recorded
// like heldout3Scenes before the detector was run on it. Their author knew what
// it had missed in heldout4Scenes.
func heldout5Scenes() []scene {
	var all []scene
	for _, f := range []func() []scene{fightsOfClusters5, fightsOfOperators5, fightsOfWorkloads5, calmClusters5, calmOperators5, calmWorkloads5} {
		all = append(all, f()...)
	}
	for i := range all {
		all[i].family = all[i].id
	}
	return all
}
