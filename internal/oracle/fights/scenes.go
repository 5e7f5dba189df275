package main

// scenes returns all scenes.
func scenes() []scene {
	var all []scene
	for _, f := range []func() []scene{
		replicaScenes, operatorScenes, nodeScenes, statusScenes, trafficScenes, secretScenes, lockScenes, requestScenes,
		ownerScenes, sharedScenes, platformScenes, peopleScenes, rhythmScenes, identityScenes, managerScenes,
		appliedScenes, lifeScenes, hiddenScenes, hiddenRhythms, garbageScenes,
		clusterScenes2, deliveryScenes2, workloadScenes2,
		heldout3Scenes,
		heldout4Scenes,
		heldout5Scenes,
		heldout6Scenes,
	} {
		all = append(all, f()...)
	}
	return all
}
