// Package priority passes removed versions to a scheme. That sends no request.
package priority

import (
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func prioritize(scheme *runtime.Scheme) error {
	return scheme.SetVersionPriority(batchv1beta1.SchemeGroupVersion) /* info */ // want `^batch/v1beta1 was removed in 1.25; use batch/v1 \(import k8s.io/api/batch/v1\)$`
}

func register(scheme *runtime.Scheme) {
	metav1.AddToGroupVersion(scheme, policyv1beta1.SchemeGroupVersion) /* info */ // want `^policy/v1beta1 was removed in 1.25; use policy/v1 \(import k8s.io/api/policy/v1\)$`
}
