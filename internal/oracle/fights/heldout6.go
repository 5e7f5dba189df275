package main

// heldout6Scenes returns 32 scenes with a fight and 36 that only look like a
// fight. They are a fourth blind set, recorded like heldout3Scenes before the
// detector was run on it. A third of them is about ConfigMaps and Secrets, a
// third about custom resources.
func heldout6Scenes() []scene {
	var all []scene
	for _, f := range []func() []scene{fightsOfSettings6, fightsOfResources6, fightsOfWorkloads6, calmSettings6, calmResources6, calmWorkloads6} {
		all = append(all, f()...)
	}
	for i := range all {
		all[i].family = all[i].id
	}
	return all
}
