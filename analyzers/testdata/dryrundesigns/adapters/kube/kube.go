// Package kube writes. Only one of its writes respects the dry run.
package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Adapter struct {
	cs       kubernetes.Interface
	readonly bool
}

func New(cs kubernetes.Interface, dryRun bool) *Adapter {
	return &Adapter{cs: cs, readonly: dryRun}
}

func (a *Adapter) DeletePod(ctx context.Context, name string) error {
	if a.readonly {
		return nil
	}
	return a.cs.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{})
}

func (a *Adapter) Cordon(ctx context.Context, node *corev1.Node) error {
	_, err := a.cs.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}) // want "dry run updates a Node"
	return err
}
