// Package inner has functions that create their own options.
package inner

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// Apply never asks for a dry run.
func Apply(ctx context.Context, c dynamic.ResourceInterface, obj *unstructured.Unstructured, server bool) error {
	opts := metav1.PatchOptions{}
	if server {
		opts = metav1.PatchOptions{FieldManager: "me"}
	}
	return createOrPatch(ctx, c, obj, opts)
}

func createOrPatch(ctx context.Context, c dynamic.ResourceInterface, obj *unstructured.Unstructured, opts metav1.PatchOptions) error {
	if _, err := c.Create(ctx, obj, metav1.CreateOptions{}); err != nil {
		return err
	}
	return patch(ctx, c, obj, opts)
}

func patch(ctx context.Context, c dynamic.ResourceInterface, obj *unstructured.Unstructured, opts metav1.PatchOptions) error {
	_, err := c.Patch(ctx, obj.GetName(), types.MergePatchType, nil, metav1.PatchOptions{})
	return err
}

// Try asks for a dry run if dryRun is set.
func Try(ctx context.Context, c dynamic.ResourceInterface, obj *unstructured.Unstructured, dryRun bool) error {
	opts := metav1.PatchOptions{FieldManager: "me"}
	if dryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	return createOrTry(ctx, c, obj, opts)
}

func createOrTry(ctx context.Context, c dynamic.ResourceInterface, obj *unstructured.Unstructured, opts metav1.PatchOptions) error {
	_, err := c.Create(ctx, obj, metav1.CreateOptions{}) // want `the write drops the caller's opts, so a dry run creates an object`
	return err
}
