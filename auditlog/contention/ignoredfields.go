package contention

// ignored reports whether writers cannot fight over a key, for one of these
// reasons: the server writes its value, the key identifies the object, or
// several writers are meant to change it.
func (w *walker) ignored(key []byte, depth int) bool {
	if handedOver(key) {
		return true
	}
	if w.status {
		return w.ignoredInStatus(key, depth)
	}
	switch depth {
	case 0:
		switch string(key) {
		case "apiVersion", "kind", "status", "operation":
			return true
		}
	case 1:
		if string(w.stack[0].key) != "metadata" {
			return false
		}
		switch string(key) {
		case "managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "selfLink",
			"deletionTimestamp", "deletionGracePeriodSeconds", "name", "namespace", "generateName":
			return true
		}
	case 2:
		if string(w.stack[0].key) != "metadata" || string(w.stack[1].key) != "annotations" {
			return false
		}
		return passedAround(key)
	}
	return false
}

// handedOver reports whether a key is the name of a field in locks, which their
// holders change in turn.
func handedOver(key []byte) bool {
	switch string(key) {
	case "holderIdentity", "holder", "leader", "leaderIdentity", "leaderTransitions", "lockHolder", "renewTime", "acquireTime":
		return true
	}
	return false
}

// passedAround reports whether an annotation is meant to be changed by several
// writers. It is a copy of the applied object, a lock, or a request that a
// controller removes after the work.
func passedAround(key []byte) bool {
	switch string(key) {
	case "kubectl.kubernetes.io/last-applied-configuration", "control-plane.alpha.kubernetes.io/leader",
		"argocd.argoproj.io/refresh", "argocd.argoproj.io/hydrate":
		return true
	}
	return false
}

// ignoredInStatus does the same as ignored for the status of an object.
func (w *walker) ignoredInStatus(key []byte, depth int) bool {
	switch {
	case depth == 0:
		// Only the resource version in the metadata is needed.
		return string(key) != "status" && string(key) != "metadata"
	case depth == 1 && string(w.stack[0].key) == "metadata":
		return true
	}
	switch string(key) {
	case "observedGeneration", "lastTransitionTime", "lastUpdateTime", "lastHeartbeatTime", "lastProbeTime":
		return true
	}
	return false
}
