// Package literals has literal versions.
package literals

import (
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const group = "batch"

var (
	jobs     = schema.GroupVersionResource{Group: group, Version: "v1beta1", Resource: "cronjobs"} // want `^batch/v1beta1 CronJob was removed in 1.25; use batch/v1 CronJob$`
	job      = schema.GroupVersionKind{Group: group, Version: "v1beta1", Kind: "CronJob"}          // want `batch/v1beta1 CronJob was removed`
	place    = schema.GroupVersionKind{group, "v1beta1", "CronJob"}                                // want `batch/v1beta1 CronJob was removed`
	budget   = policyv1beta1.SchemeGroupVersion.WithKind("PodDisruptionBudget")                    // want `policy/v1beta1 PodDisruptionBudget was removed`
	budgets  = policyv1beta1.SchemeGroupVersion.WithResource("poddisruptionbudgets")               // want `policy/v1beta1 PodDisruptionBudget was removed`
	eviction = policyv1beta1.SchemeGroupVersion.WithKind("Eviction")
	ingress  = schema.FromAPIVersionAndKind("extensions/v1beta1", "Ingress") // want `extensions/v1beta1 Ingress was removed in 1.22; use networking.k8s.io/v1 Ingress`

	current = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}
	custom  = schema.GroupVersionKind{Group: "example.com", Version: "v1beta1", Kind: "CronJob"}
)

func typed(name string) []metav1.TypeMeta {
	return []metav1.TypeMeta{
		{APIVersion: "extensions/v1beta1", Kind: "Deployment"}, // want `extensions/v1beta1 Deployment was removed in 1.16; use apps/v1 Deployment`
		{APIVersion: "apps/v1", Kind: "StatefulSet"},
		{APIVersion: "policy/" + name, Kind: "PodDisruptionBudget"},
	}
}

func object() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("extensions/v1beta1") // want `extensions/v1beta1 NetworkPolicy was removed`
	u.SetKind("NetworkPolicy")
	v := &unstructured.Unstructured{}
	v.SetAPIVersion("networking.k8s.io/v1")
	v.SetKind("IngressClass")
	return u
}

func content() map[string]any {
	return map[string]any{ // want `storage.k8s.io/v1beta1 StorageClass was removed`
		"apiVersion": "storage.k8s.io/v1beta1",
		"kind":       "StorageClass",
		"metadata":   map[string]any{"name": "fast"},
	}
}

func labels() map[string]string { return map[string]string{"kind": "StorageClass"} }
