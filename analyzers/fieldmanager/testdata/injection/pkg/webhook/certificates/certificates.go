// Package certificates stores certificates in a Secret, like knative's package.
package certificates

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	kubeclient "knative.dev/pkg/client/injection/kube/client"
	"knative.dev/pkg/controller"
)

type reconciler struct{ client kubernetes.Interface }

// Reconcile updates the Secret.
func (r *reconciler) Reconcile(ctx context.Context, key string) error {
	return r.reconcileCertificate(ctx, &corev1.Secret{})
}

func (r *reconciler) reconcileCertificate(ctx context.Context, secret *corev1.Secret) error {
	_, err := r.client.CoreV1().Secrets("default").Update(ctx, secret, metav1.UpdateOptions{})
	return err
}

// NewController returns a controller that writes.
func NewController(ctx context.Context) *controller.Impl {
	return controller.NewContext(ctx, &reconciler{kubeclient.Get(ctx)})
}

type watcher struct{ client kubernetes.Interface }

// Reconcile only reads.
func (w *watcher) Reconcile(ctx context.Context, key string) error {
	_, err := w.client.CoreV1().Secrets("default").Get(ctx, key, metav1.GetOptions{})
	return err
}

// NewWatcher returns a controller that only reads.
func NewWatcher(ctx context.Context) *controller.Impl {
	return controller.NewContext(ctx, &watcher{kubeclient.Get(ctx)})
}

type signer struct{ client kubernetes.Interface }

// Reconcile names a manager.
func (s *signer) Reconcile(ctx context.Context, key string) error {
	_, err := s.client.CoreV1().Secrets("default").Update(ctx, &corev1.Secret{}, metav1.UpdateOptions{FieldManager: "certificates"})
	return err
}

// NewSigner returns a controller whose writes name a manager.
func NewSigner(ctx context.Context) *controller.Impl {
	return controller.NewContext(ctx, &signer{kubeclient.Get(ctx)})
}
