// Package cleaner deletes Secrets.
package cleaner

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Secrets deletes a Secret, unless this is a dry run.
func Secrets(ctx context.Context, cs kubernetes.Interface, name string, dryRun bool) error {
	if dryRun {
		println("would delete", name)
		return nil
	}
	return cs.CoreV1().Secrets("web").Delete(ctx, name, metav1.DeleteOptions{})
}

// Pass passes the dry run on.
func Pass(ctx context.Context, cs kubernetes.Interface, dryRun bool) error {
	return Secrets(ctx, cs, "token", dryRun)
}

// All deletes for real, because its name promises no dry run.
func All(ctx context.Context, cs kubernetes.Interface) error {
	return Secrets(ctx, cs, "token", false)
}
