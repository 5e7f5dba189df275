package plugin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
)

// locks stores the functions that write in fields, so that tests can replace them.
type locks struct {
	update func(ctx context.Context, ns *corev1.Namespace, opts metav1.UpdateOptions) (*corev1.Namespace, error)
	get    func(ctx context.Context, name string, opts metav1.GetOptions) (*corev1.Namespace, error)
}

func (l *locks) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error { // want `^Validate updates a Namespace \(by update\) on dry-run creates too; skip it when a.IsDryRun\(\) is true`
	if a.GetOperation() != "CREATE" {
		return nil
	}
	_, err := l.update(ctx, &corev1.Namespace{}, metav1.UpdateOptions{})
	return err
}

type looks struct{ locks }

func (l *looks) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if _, err := l.get(ctx, a.GetNamespace(), metav1.GetOptions{}); err != nil || a.IsDryRun() {
		return err
	}
	_, err := l.update(ctx, &corev1.Namespace{}, metav1.UpdateOptions{})
	return err
}

type asksFor struct{ locks }

func (l *asksFor) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	_, err := l.update(ctx, &corev1.Namespace{}, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}
