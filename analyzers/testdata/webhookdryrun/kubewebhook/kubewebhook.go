// Package kubewebhook has handlers for the library of this name.
package kubewebhook

import (
	"context"

	"github.com/slok/kubewebhook/v2/pkg/model"
	"github.com/slok/kubewebhook/v2/pkg/webhook/mutating"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type labeler struct{ c client.Client }

func (l *labeler) Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*mutating.MutatorResult, error) { // want `^Mutate creates a Secret on dry-run requests too; skip it when ar.DryRun is true`
	return nil, l.c.Create(ctx, &corev1.Secret{})
}

type careful struct{ c client.Client }

func (l *careful) Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*mutating.MutatorResult, error) {
	if ar.DryRun {
		return nil, nil
	}
	return nil, l.c.Create(ctx, &corev1.Secret{})
}

type telling struct{ c client.Client }

func (l *telling) Mutate(ctx context.Context, ar *model.AdmissionReview, obj metav1.Object) (*mutating.MutatorResult, error) {
	return nil, l.ensure(ctx, ar.DryRun)
}

func (l *telling) ensure(ctx context.Context, dryRun bool) error {
	if dryRun {
		return nil
	}
	return l.c.Create(ctx, &corev1.Secret{})
}
