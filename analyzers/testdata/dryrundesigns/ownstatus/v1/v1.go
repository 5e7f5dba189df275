// Package v1 has a custom resource.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Release is a custom resource.
type Release struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject returns the release.
func (r *Release) DeepCopyObject() runtime.Object { return r }
