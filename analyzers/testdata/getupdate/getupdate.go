package getupdate

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func typed(ctx context.Context, cs kubernetes.Interface) error {
	d, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	d.Spec.Paused = true
	_, err = cs.AppsV1().Deployments("default").Update(ctx, d, metav1.UpdateOptions{}) // want `d is read in line 18 and written back whole`
	return err
}

func typedRetried(ctx context.Context, cs kubernetes.Interface) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		d, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return err
		}
		d.Spec.Paused = true
		_, err = cs.AppsV1().Deployments("default").Update(ctx, d, metav1.UpdateOptions{})
		return err
	})
}

func typedCopy(ctx context.Context, cs kubernetes.Interface) error {
	d, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	d = d.DeepCopy()
	d.Status.Replicas = 1
	_, err = cs.AppsV1().Deployments("default").UpdateStatus(ctx, d, metav1.UpdateOptions{}) // want `d is read in line 40`
	return err
}

func handled(ctx context.Context, cs kubernetes.Interface) error {
	for {
		d, err := cs.AppsV1().Deployments("default").Get(ctx, "a", metav1.GetOptions{})
		if err != nil {
			return err
		}
		d.Spec.Paused = true
		_, err = cs.AppsV1().Deployments("default").Update(ctx, d, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			return err
		}
	}
}

func dynamicUpdate(ctx context.Context, d dynamic.ResourceInterface) error {
	u, err := d.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	u.SetLabels(map[string]string{"a": "b"})
	_, err = d.Update(ctx, u, metav1.UpdateOptions{}) // want `u is read in line 65`
	return err
}

func runtimeUpdate(ctx context.Context, c client.Client, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := c.Get(ctx, key, d); err != nil {
		return err
	}
	d.Spec.Paused = true
	return c.Update(ctx, d) // want `d is read in line 76`
}

func runtimePatch(ctx context.Context, c client.Client, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := c.Get(ctx, key, d); err != nil {
		return err
	}
	base := d.DeepCopy()
	d.Spec.Paused = true
	return c.Patch(ctx, d, client.MergeFrom(base))
}

func parameter(ctx context.Context, c client.Client, d *appsv1.Deployment) error {
	d.Spec.Paused = true
	return c.Update(ctx, d)
}

func otherObject(ctx context.Context, c client.Client, key client.ObjectKey, d *appsv1.Deployment) error {
	cm := &corev1.ConfigMap{}
	if err := c.Get(ctx, key, cm); err != nil {
		return err
	}
	d.Labels = cm.Labels
	return c.Update(ctx, d)
}

// webReconciler is a reconciler: a work queue calls it.
type webReconciler struct{ client.Client }

func (r *webReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := pause(ctx, r.Client, req.NamespacedName); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, d)
}

func (r *webReconciler) method(ctx context.Context, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, key, d); err != nil {
		return err
	}
	return r.Update(ctx, d)
}

func pause(ctx context.Context, c client.Client, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := c.Get(ctx, key, d); err != nil {
		return err
	}
	d.Spec.Paused = true
	return c.Update(ctx, d)
}

func steps() []func(context.Context, client.Client, client.ObjectKey) error {
	return []func(context.Context, client.Client, client.ObjectKey) error{step}
}

func step(ctx context.Context, c client.Client, key client.ObjectKey) error {
	d := &appsv1.Deployment{}
	if err := c.Get(ctx, key, d); err != nil {
		return err
	}
	return c.Update(ctx, d)
}
