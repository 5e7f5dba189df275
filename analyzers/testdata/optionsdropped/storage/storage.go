// Package storage stores objects in another API.
package storage

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/util/dryrun"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type store struct {
	c  client.Client
	cs kubernetes.Interface
}

func (s *store) Create(ctx context.Context, obj runtime.Object, opts *metav1.CreateOptions) error {
	return s.c.Create(ctx, obj.(*corev1.Secret), &client.CreateOptions{DryRun: opts.DryRun})
}

// createRaw has no effect: the client overwrites the settings in Raw.
func (s *store) createRaw(ctx context.Context, obj runtime.Object, opts *metav1.CreateOptions) error {
	return s.c.Create(ctx, obj.(*corev1.Secret), &client.CreateOptions{Raw: opts}) // want `the write drops the caller's opts, so a dry run creates a Secret; pass on opts.DryRun`
}

func (s *store) Update(ctx context.Context, name string, opts *metav1.UpdateOptions) error {
	secret := &corev1.Secret{}
	if name == "" {
		return s.c.Create(ctx, secret, &client.CreateOptions{Raw: &metav1.CreateOptions{}}) // want `the write drops the caller's opts, so a dry run creates a Secret; pass on opts.DryRun`
	}
	if name == "new" {
		return s.Create(ctx, secret, &metav1.CreateOptions{}) // want `Create gets new options instead of the caller's opts, so a dry run is stored; pass on opts.DryRun`
	}
	if name == "old" {
		return s.Create(ctx, secret, &metav1.CreateOptions{DryRun: opts.DryRun})
	}
	if err := s.c.Update(ctx, secret, &client.UpdateOptions{DryRun: opts.DryRun}); err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return s.c.Update(ctx, secret, &client.UpdateOptions{Raw: &metav1.UpdateOptions{}}) // want `the write drops the caller's opts, so a dry run updates a Secret`
	})
}

func (s *store) Patch(ctx context.Context, secret *corev1.Secret, opts metav1.PatchOptions) error {
	_, err := s.cs.CoreV1().Secrets("a").Update(ctx, secret, metav1.UpdateOptions{}) // want `the write drops the caller's opts, so a dry run updates a Secret`
	if err != nil {
		return err
	}
	_, err = s.cs.CoreV1().Secrets("a").Update(ctx, secret, metav1.UpdateOptions{FieldManager: "storage"}) // want `the write drops the caller's opts, so a dry run updates a Secret`
	if err != nil {
		return err
	}
	_, err = s.cs.CoreV1().Secrets("a").Update(ctx, secret, metav1.UpdateOptions{DryRun: opts.DryRun, FieldManager: "storage"})
	return err
}

func (s *store) Delete(ctx context.Context, name string, opts *metav1.DeleteOptions) error {
	if dryrun.IsDryRun(opts.DryRun) {
		return nil
	}
	return s.cs.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{})
}

func (s *store) DeleteChecked(ctx context.Context, name string, opts *metav1.DeleteOptions) error {
	if len(opts.DryRun) > 0 {
		return nil
	}
	return s.cs.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{})
}

func (s *store) List(ctx context.Context, name string, opts metav1.ListOptions) error {
	return s.cs.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{})
}
