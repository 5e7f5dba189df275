// Package oldlocks uses a lock of client-go in Endpoints.
package oldlocks

import "k8s.io/client-go/tools/leaderelection/resourcelock"

func lock() (resourcelock.Interface, error) {
	return resourcelock.New(resourcelock.EndpointsResourceLock, "shop", "web") // want `^v1 Endpoints is deprecated in v1.33\+; for a leader-election lock use coordination.k8s.io/v1 Lease \(resourcelock.LeaseLock\)$`
}

func migrating() (resourcelock.Interface, error) {
	return resourcelock.New(resourcelock.EndpointsLeasesResourceLock, "shop", "web")
}

func old(kind string) bool { return kind == resourcelock.EndpointsResourceLock }
