// Package table has a table of types, and a list of objects to create.
package table

import (
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Types are the types that Decode knows.
var Types = map[string]runtime.Object{
	"cronjob": &batchv1beta1.CronJob{}, /* info */ // want `batch/v1beta1 CronJob was removed`
}

// Defaults are objects to create.
var Defaults = map[string]runtime.Object{
	"budget": &policyv1beta1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, // want `policy/v1beta1 PodDisruptionBudget was removed`
}
