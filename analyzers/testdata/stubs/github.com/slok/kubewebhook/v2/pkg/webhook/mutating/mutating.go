// Package mutating has the shape of mutators. Written by hand.
package mutating

import (
	"context"

	"github.com/slok/kubewebhook/v2/pkg/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type MutatorResult struct {
	StopChain     bool
	MutatedObject metav1.Object
}

type Mutator interface {
	Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*MutatorResult, error)
}

type MutatorFunc func(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*MutatorResult, error)

func (f MutatorFunc) Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*MutatorResult, error) {
	panic("stub")
}
