// Package client has the shape of functions that write by a client which they
// are given. Written by hand: the module itself cannot be loaded alone.
package client

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type TransformFunc func(obj client.Object, createOp bool) client.Object

type VerbType string

func CreateOrPatch(ctx context.Context, c client.Client, obj client.Object, transform TransformFunc, opts ...client.PatchOption) (VerbType, error) {
	panic("stub")
}

func ApplySecret(ctx context.Context, cs kubernetes.Interface, secret *corev1.Secret, opts metav1.PatchOptions) error {
	panic("stub")
}

func Delete(ctx context.Context, c client.Client, obj client.Object, dryRun bool) error {
	panic("stub")
}

func UpdatePod(ctx context.Context, c client.Client, pod *corev1.Pod) error { panic("stub") }

func CreateMergePatch(ctx context.Context, c client.Client, pod *corev1.Pod) ([]byte, error) {
	panic("stub")
}
