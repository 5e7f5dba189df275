package main

// heldout4Scenes are a second blind set: 22 fights and 25 look-alikes.
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
