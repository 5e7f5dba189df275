// Package api has an object whose spec asks for a dry run.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Workload struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   WorkloadSpec
	Status WorkloadStatus
}

type WorkloadSpec struct {
	// DryRun makes the operator take no action.
	DryRun bool
	Target string
	Policy *string
}

type WorkloadStatus struct{ Phase, Plan string }

func (w *Workload) DeepCopyObject() runtime.Object { return w }

func (w *Workload) DeepCopyInto(out *Workload) {}

func (w *WorkloadSpec) DeepCopyInto(out *WorkloadSpec) {}
