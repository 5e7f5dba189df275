package main

// heldout4Scenes returns 22 scenes with a fight and 25 that only look like a
// fight. They are a second blind set, made in the same way as heldout3Scenes.
func heldout4Scenes() []scene {
	var all []scene
	for _, f := range []func() []scene{fightsOfPlatforms4, fightsOfDelivery4, calmClusters4, calmApplications4} {
		all = append(all, f()...)
	}
	for i := range all {
		all[i].family = all[i].id
	}
	return all
}
