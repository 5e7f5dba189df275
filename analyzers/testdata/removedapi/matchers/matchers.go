// Package matchers has lists of versions. Some lists are filters, or mix several versions of a kind.
package matchers

import (
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type ref struct{ GVR schema.GroupVersionResource }

var hookMatchers = []ref{
	{GVR: policyv1beta1.SchemeGroupVersion.WithResource("poddisruptionbudgets")},
}

var read = []ref{
	{GVR: policyv1beta1.SchemeGroupVersion.WithResource("poddisruptionbudgets")}, // want `policy/v1beta1 PodDisruptionBudget was removed`
}

func collect() {
	for _, gvr := range []schema.GroupVersionResource{
		{Group: "policy", Version: "v1beta1", Resource: "podsecuritypolicies"},
		{Group: "autoscaling", Version: "v2beta1", Resource: "horizontalpodautoscalers"},
		{Group: "autoscaling", Version: "v2beta2", Resource: "horizontalpodautoscalers"},
	} {
		_ = gvr
	}
	for _, gvr := range []schema.GroupVersionResource{
		{Group: "extensions", Version: "v1beta1", Resource: "networkpolicies"}, // want `extensions/v1beta1 NetworkPolicy was removed`
		{Group: "apps", Version: "v1", Resource: "deployments"},
	} {
		_ = gvr
	}
}

func newFakeBudget() any { return &policyv1beta1.PodDisruptionBudget{} }
