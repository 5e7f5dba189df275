// Package filters skips objects of old versions.
package filters

import "k8s.io/apimachinery/pkg/runtime/schema"

var ignored = []schema.GroupVersionKind{{Group: "batch", Version: "v1beta1", Kind: "CronJob"}}

var names = map[schema.GroupVersionResource]string{
	{Group: "extensions", Version: "v1beta1", Resource: "ingresses"}: "ingress",
}

func without(all []schema.GroupVersionResource) []schema.GroupVersionResource {
	return nonMatching(all, ref{schema.GroupVersionResource{Group: "policy", Version: "v1beta1", Resource: "podsecuritypolicies"}})
}

type ref struct{ schema.GroupVersionResource }

func nonMatching(all []schema.GroupVersionResource, r ref) []schema.GroupVersionResource { return nil }

func get(gvr schema.GroupVersionResource) {}

func all() {
	get(schema.GroupVersionResource{Group: "autoscaling", Version: "v2beta2", Resource: "horizontalpodautoscalers"}) // want `autoscaling/v2beta2 HorizontalPodAutoscaler was removed`
}
