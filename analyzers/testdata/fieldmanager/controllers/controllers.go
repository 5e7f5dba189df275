// Package controllers gets its clients from the program. // want package:"8 writes, 0 clients, 0 names"
package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler writes pods.
type Reconciler struct {
	client.Client
	Clientset kubernetes.Interface
}

// Reconcile names no manager.
func (r *Reconciler) Reconcile(ctx context.Context, pod *corev1.Pod) (ctrl.Result, error) { // want Reconcile:"reaches 4 sites"
	if err := r.Create(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Status().Update(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Update(ctx, pod, client.DryRunAll); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Delete(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, pod, func() error { return nil }); err != nil {
		return ctrl.Result{}, err
	}
	_, err := r.Clientset.CoreV1().Pods("default").Update(ctx, pod, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

// Sign names a manager.
func (r *Reconciler) Sign(ctx context.Context, pod *corev1.Pod) error {
	return r.Update(ctx, pod, client.FieldOwner("operator"))
}

// Status only writes through a client of controller-runtime.
func Status(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Status:"reaches 1 sites"
	return c.Status().Update(ctx, pod)
}

// Get only reads.
func Get(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	return c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Step is one of several steps. The caller chooses the steps.
type Step interface {
	Run(ctx context.Context, c client.Client, pod *corev1.Pod) error
}

// Wait is a step that reads.
type Wait struct{}

// Run only reads.
func (*Wait) Run(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	return c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

// Install is a step that writes.
type Install struct{}

// Run writes.
func (*Install) Run(ctx context.Context, c client.Client, pod *corev1.Pod) error { // want Run:"reaches 1 sites"
	return c.Create(ctx, pod)
}

// RunAll runs steps.
func RunAll(ctx context.Context, c client.Client, pod *corev1.Pod, steps ...Step) error {
	for _, s := range steps {
		if err := s.Run(ctx, c, pod); err != nil {
			return err
		}
	}
	return nil
}

// Store hides the type that implements it.
type Store interface {
	Load(ctx context.Context, pod *corev1.Pod) error
	Save(ctx context.Context, pod *corev1.Pod) error // want Save:"reaches 1 sites"
}

type store struct{ c client.Client }

// NewStore makes a store.
func NewStore(c client.Client) Store { return &store{c: c} }

func (s *store) Load(ctx context.Context, pod *corev1.Pod) error {
	return s.c.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (s *store) Save(ctx context.Context, pod *corev1.Pod) error { // want Save:"reaches 1 sites"
	return s.c.Update(ctx, pod)
}

// Saver is the constraint of a generic function.
type Saver interface {
	Save(ctx context.Context, pod *corev1.Pod) error
}

// SaveWith calls a method of its type parameter.
func SaveWith[S Saver](ctx context.Context, s S, pod *corev1.Pod) error { return s.Save(ctx, pod) }

// Direct is a Saver.
type Direct struct{ C client.Client }

// Save writes.
func (d Direct) Save(ctx context.Context, pod *corev1.Pod) error { // want Save:"reaches 1 sites"
	return d.C.Update(ctx, pod)
}
