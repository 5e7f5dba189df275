// Package sandbox has types whose clients other packages choose.
package sandbox

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

type Options struct{ dryRun bool }

func (o *Options) WithDryRun(dryRun bool) *Options {
	o.dryRun = dryRun
	return o
}

// Evictor only logs the dry run. In a dry run, its callers pass a fake client.
type Evictor struct {
	client kubernetes.Interface
	dryRun bool
	count  int
}

func NewEvictor(client kubernetes.Interface, options *Options) *Evictor {
	return &Evictor{client: client, dryRun: options.dryRun}
}

func (e *Evictor) Evict(ctx context.Context, pod *corev1.Pod) error {
	if err := e.evict(ctx, pod); err != nil {
		return err
	}
	if e.dryRun {
		println("would evict", pod.Name)
	} else {
		e.count++
		println("evicted", pod.Name)
	}
	return nil
}

func (e *Evictor) evict(ctx context.Context, pod *corev1.Pod) error {
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace}}
	return e.client.PolicyV1().Evictions(pod.Namespace).Evict(ctx, eviction)
}

// Remover creates its client itself.
type Remover struct {
	client kubernetes.Interface
	dryRun bool
	count  int
}

func NewRemover(config *rest.Config, options *Options) (*Remover, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Remover{client: client, dryRun: options.dryRun}, nil
}

func (r *Remover) Remove(ctx context.Context, pod *corev1.Pod) error {
	if err := r.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil { // want "dry run deletes a Pod"
		return err
	}
	if r.dryRun {
		println("would remove", pod.Name)
	} else {
		r.count++
		println("removed", pod.Name)
	}
	return nil
}

// Guarded gets its client, and skips one of its writes in a dry run.
type Guarded struct {
	client kubernetes.Interface
	dryRun bool
}

func NewGuarded(client kubernetes.Interface, options *Options) *Guarded {
	return &Guarded{client: client, dryRun: options.dryRun}
}

func (g *Guarded) Remove(ctx context.Context, pod *corev1.Pod) error {
	if !g.dryRun {
		if err := g.client.CoreV1().Secrets(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return g.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}) // want "dry run deletes a Pod"
}
