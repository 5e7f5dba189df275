// Package evictions passes the dry run in options, but not when it deletes the Pod instead.
package evictions

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Evictor struct {
	cs     kubernetes.Interface
	DryRun bool
}

func (e *Evictor) Evict(ctx context.Context, name string) error {
	opts := &metav1.DeleteOptions{}
	if e.DryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	err := e.cs.PolicyV1().Evictions("a").Evict(ctx, &policyv1.Eviction{DeleteOptions: opts})
	if apierrors.IsNotFound(err) {
		return e.cs.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{}) // want "dry run deletes a Pod"
	}
	return err
}
