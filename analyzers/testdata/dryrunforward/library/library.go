// Package library gets the dry run in parameters.
package library

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func Ignored(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `the write ignores dryRun, so a dry run deletes a Pod; skip the write or set DryRun: \[\]string{metav1.DryRunAll}`
}

func Guarded(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	if dryRun {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{})
}

func Inverted(ctx context.Context, cs kubernetes.Interface, noDryRun bool) error {
	if !noDryRun {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{})
}

func List(ctx context.Context, cs kubernetes.Interface, dryRun []string) error {
	_, err := cs.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{FieldManager: "me"}) // want `the write ignores dryRun, so a dry run creates a Pod`
	return err
}

func ListPassed(ctx context.Context, cs kubernetes.Interface, dryRun []string) error {
	if len(dryRun) == 0 {
		if err := cs.CoreV1().Pods("a").Delete(ctx, "q", metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	_, err := cs.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{DryRun: dryRun})
	return err
}

func Pointer(ctx context.Context, c client.Client, dryRun *bool) error {
	if dryRun != nil && *dryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

func Text(ctx context.Context, c client.Client, dryRun string) error {
	if dryRun != "none" {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

func TextForgotten(ctx context.Context, d dynamic.ResourceInterface, dryRun string) error {
	_, err := d.Patch(ctx, "p", types.MergePatchType, nil, metav1.PatchOptions{}) // want `the write ignores dryRun, so a dry run patches an object`
	return err
}

func NoOptions(ctx context.Context, c client.Client, dryRun bool) error {
	_, err := controllerutil.CreateOrUpdate(ctx, c, &corev1.ConfigMap{}, func() error { return nil }) // want `so a dry run creates or updates a ConfigMap; skip the write or use client.NewDryRunClient`
	return err
}

func Request(ctx context.Context, c rest.Interface, pod *corev1.Pod, dryRun bool) error {
	return c.Post().Resource("pods").Body(pod).Do(ctx).Error() // want `creates a Pod; skip the write or call Param\("dryRun", metav1.DryRunAll\) on the request`
}

func Scaled(ctx context.Context, s scale.ScalesGetter, of schema.GroupResource, to *autoscalingv1.Scale, dryRun bool) error {
	_, err := s.Scales("a").Update(ctx, of, to, metav1.UpdateOptions{}) // want `so a dry run scales an object; `
	return err
}

func Review(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	_, err := cs.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{}, metav1.CreateOptions{})
	return err
}

// Code under a condition that is not understood has no finding.
func Unclear(ctx context.Context, c client.Client, dryRun string) error {
	if allowed(dryRun, c) {
		return c.Delete(ctx, &corev1.Pod{})
	}
	return nil
}

var allowed func(string, client.Client) bool

// The name of the called function's parameter does not matter.
func Caller(ctx context.Context, c client.Client, dryRun bool) error {
	return remove(ctx, c, !dryRun)
}

func remove(ctx context.Context, c client.Client, really bool) error {
	if !really {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}

// The finding is at the write if only this function calls the helper. If other
// functions call the helper, too, it is at the call.
func Deploy(ctx context.Context, c client.Client, dryRun bool) error {
	if err := only(ctx, c); err != nil {
		return err
	}
	return shared(ctx, c) // want `the call of shared ignores dryRun, so a dry run updates a Secret; give shared a parameter for the dry run or skip the call`
}

func only(ctx context.Context, c client.Client) error {
	return c.Create(ctx, &corev1.Namespace{}) // want `the write does not get dryRun from Deploy, so a dry run creates a Namespace; pass the dry run on, then skip the write or pass client.DryRunAll`
}

func shared(ctx context.Context, c client.Client) error {
	return c.Update(ctx, &corev1.Secret{})
}

func Rotate(ctx context.Context, c client.Client) error { return shared(ctx, c) }

// A function value that other code may run has no finding.
func Hooks(ctx context.Context, c client.Client, dryRun bool) func() error {
	return func() error { return c.Delete(ctx, &corev1.Pod{}) }
}

// A deferred function runs in any case.
func Deferred(ctx context.Context, c client.Client, dryRun bool) {
	defer func() {
		_ = c.Delete(ctx, &corev1.Pod{}) // want `so a dry run deletes a Pod`
	}()
	cleanup := func() {
		_ = c.Delete(ctx, &corev1.Pod{})
	}
	if !dryRun {
		cleanup()
	}
}

// A literal that is passed to a function which runs it belongs to the caller.
func Retried(ctx context.Context, c client.Client, dryRun bool) error {
	if dryRun {
		return again(func() error { return nil })
	}
	return again(func() error { return c.Delete(ctx, &corev1.Pod{}) })
}

func RetriedToo(ctx context.Context, c client.Client, dryRun bool) error {
	return again(func() error {
		return c.Delete(ctx, &corev1.Pod{}) // want `the write ignores dryRun, so a dry run deletes a Pod`
	})
}

func again(f func() error) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { return f() })
}

// The literal gets its client from a function that gets the dry run.
func Pooled(ctx context.Context, p *pool, dryRun bool) error {
	return p.with(ctx, dryRun, func(c client.Client) error {
		return c.Delete(ctx, &corev1.Pod{})
	})
}

func PooledPlainly(ctx context.Context, p *pool, dryRun bool) error {
	return p.any(func(c client.Client) error {
		return c.Delete(ctx, &corev1.Pod{}) // want `the write ignores dryRun, so a dry run deletes a Pod`
	})
}

type pool struct{ client client.Client }

func (p *pool) any(f func(client.Client) error) error { return f(p.client) }

func (p *pool) with(ctx context.Context, dryRun bool, f func(client.Client) error) error {
	return p.any(func(c client.Client) error {
		if dryRun {
			c = client.NewDryRunClient(c)
		}
		return f(c)
	})
}

// A dry run in an object's annotations is for the reconciler of the object.
func Annotated(ctx context.Context, c client.Client, gateway *corev1.Service) error {
	if isDryRun(gateway) && gateway.Name != "" {
		if gateway.Namespace != "" {
			return nil
		}
	}
	return c.Update(ctx, gateway)
}

func isDryRun(gateway *corev1.Service) bool { return gateway.Annotations["dry-run"] == "yes" }

// A mode of rendering a release is not a dry run of the function.
func Release(ctx context.Context, c client.Client, dryRunOption string) error {
	if dryRunOption == "server" {
		return c.Update(ctx, &corev1.ConfigMap{})
	}
	return c.Create(ctx, &corev1.Pod{})
}
