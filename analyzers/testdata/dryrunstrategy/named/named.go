// Package named has constants for the values of its flag.
package named

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Mode is a value of the flag.
type Mode string

const (
	DryRunClient Mode = "client"
	DryRunServer Mode = "server"
)

const (
	serverSide = "server"
	role       = "server"
)

// The constant has the type of the parameter.
func Typed(ctx context.Context, cs kubernetes.Interface, dryRun Mode) error {
	if dryRun == DryRunClient {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `dryRun is checked only for a client-side dry run`
}

// Only the constant without a type fits the parameter.
func Text(ctx context.Context, cs kubernetes.Interface, dryRun string) error {
	if dryRun == "client" {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `dryRun is checked only for a client-side dry run`
}

// A variable hides the constant.
func Hidden(ctx context.Context, cs kubernetes.Interface, dryRun string) error {
	serverSide := "a"
	if dryRun == "client" {
		return nil
	}
	return cs.CoreV1().Pods(serverSide).Delete(ctx, "p", metav1.DeleteOptions{}) // want `dryRun is checked only for a client-side dry run`
}
