// Package types creates objects of a removed version, and of a version that is
// served.
package types

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applypolicy "k8s.io/client-go/applyconfigurations/policy/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func create(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &policyv1beta1.PodDisruptionBudget{ // want `^policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget \(import k8s.io/api/policy/v1\)$`
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1beta1", Kind: "PodDisruptionBudget"},
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
	})
}

func list(ctx context.Context, c client.Client) error {
	var all policyv1beta1.PodDisruptionBudgetList // want `policy/v1beta1 PodDisruptionBudget was removed`
	return c.List(ctx, &all)
}

func read(ctx context.Context, c client.Client, key client.ObjectKey) error {
	pdb := new(policyv1beta1.PodDisruptionBudget) // want `policy/v1beta1 PodDisruptionBudget was removed`
	return c.Get(ctx, key, pdb)
}

// The types of parameters follow from the code that creates the objects.
func wanted(pdb *policyv1beta1.PodDisruptionBudget) bool { return pdb.Spec.MinAvailable != nil }

// The argument can have any type.
func kind(o client.Object) string {
	switch o.(type) {
	case *policyv1beta1.PodDisruptionBudget:
		return "budget"
	case *batchv1.CronJob:
		return "job"
	}
	return ""
}

// Servers continue to accept the old version of the body.
func evict(ctx context.Context, c client.Client) *policyv1beta1.Eviction {
	return &policyv1beta1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
}

func job(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &batchv1.CronJob{TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "CronJob"}})
}

func apply() any {
	return applypolicy.PodDisruptionBudget("web", "shop"). // want `\(import k8s.io/client-go/applyconfigurations/policy/v1\)`
								WithSpec(applypolicy.PodDisruptionBudgetSpec())
}
