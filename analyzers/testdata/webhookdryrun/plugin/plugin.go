// Package plugin has admission plugins of an API server.
package plugin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes"
)

type provision struct {
	*admission.Handler
	client kubernetes.Interface
}

var (
	_ admission.MutationInterface   = &provision{}
	_ admission.ValidationInterface = &provision{}
)

func (p *provision) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error { // want `^Admit creates a Namespace on dry-run creates too; skip it when a.IsDryRun\(\) is true$`
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: a.GetNamespace()}}
	if a.GetOperation() == "CREATE" {
		_, err := p.client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
		return err
	}
	return nil
}

func (p *provision) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if a.IsDryRun() {
		return nil
	}
	return p.client.CoreV1().Namespaces().Delete(ctx, a.GetNamespace(), metav1.DeleteOptions{})
}

// older is a plugin whose methods have no context.
type older struct{ client kubernetes.Interface }

func (p *older) Admit(attributes admission.Attributes) error { // want `Admit deletes a Namespace on dry-run requests too; skip it when attributes.IsDryRun\(\) is true`
	return p.client.CoreV1().Namespaces().Delete(context.Background(), attributes.GetNamespace(), metav1.DeleteOptions{})
}

func (p *older) Validate(a admission.Attributes) error {
	if !a.IsDryRun() {
		return p.client.CoreV1().Namespaces().Delete(context.Background(), a.GetNamespace(), metav1.DeleteOptions{})
	}
	return nil
}

// Helper is not called by the API server.
func (p *older) Helper(a admission.Attributes) error {
	return p.client.CoreV1().Namespaces().Delete(context.Background(), a.GetNamespace(), metav1.DeleteOptions{})
}
