// want package:"has handlers"

// Package steps implements hook.Step.
package steps

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"example.org/clients/webhookdryrun/registry/hook"
)

type account struct{ cs kubernetes.Interface }

// New returns the steps.
func New(cs kubernetes.Interface) map[string]hook.Step {
	return map[string]hook.Step{"Namespace": &account{cs}, "Pod": &later{cs: cs}}
}

func (s *account) Do(ctx context.Context, namespace string) error { // want `^Do creates a ServiceAccount, and Handle \(in hook\) calls it on dry-run requests too`
	_, err := s.cs.CoreV1().ServiceAccounts(namespace).Create(ctx, &corev1.ServiceAccount{}, metav1.CreateOptions{})
	return err
}

func (s *account) Done(ctx context.Context, namespace string) error {
	return s.cs.CoreV1().ServiceAccounts(namespace).Delete(ctx, "old", metav1.DeleteOptions{})
}

func (s *account) Connected(ctx context.Context) error {
	return s.cs.CoreV1().Secrets("").Delete(ctx, "old", metav1.DeleteOptions{})
}

// later only remembers the namespaces.
type later struct {
	cs    kubernetes.Interface
	names []string
}

func (l *later) Do(ctx context.Context, namespace string) error {
	l.names = append(l.names, namespace)
	return nil
}

func (l *later) Done(ctx context.Context, namespace string) error {
	return l.cs.CoreV1().Pods(namespace).Delete(ctx, "old", metav1.DeleteOptions{})
}

func (l *later) Connected(ctx context.Context) error { return nil }

// fakeStep stands in for a step.
type fakeStep struct{ account }

func (f *fakeStep) Do(ctx context.Context, namespace string) error {
	return f.cs.CoreV1().Pods(namespace).Delete(ctx, "old", metav1.DeleteOptions{})
}

var _ hook.Step = &fakeStep{}
