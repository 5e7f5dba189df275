// Package app loads the settings for a program.
package app

import (
	"context"

	"example.org/clients/dryrundesigns/forgotten/config"
	"example.org/clients/dryrundesigns/forgotten/sweep"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func Run(ctx context.Context, path string) error {
	cfg, err := config.Load(path)
	if err != nil {
		return err
	}
	var cs kubernetes.Interface
	if err := sweep.New(cs, cfg).Run(ctx); err != nil { // want "the call of Run ignores Config.DryRun, so a dry run deletes a ConfigMap"
		return err
	}
	return finish(ctx, cs)
}

func finish(ctx context.Context, cs kubernetes.Interface) error {
	return cs.CoreV1().Pods("a").Delete(ctx, "a", metav1.DeleteOptions{}) // want "the write does not get Config.DryRun from Run, so a dry run deletes a Pod"
}

// Unset uses settings that the caller loads, so the caller may read the dry run.
func Unset(ctx context.Context, cs kubernetes.Interface, cfg *config.Config) error {
	return cs.CoreV1().Pods(cfg.Namespace).Delete(ctx, "a", metav1.DeleteOptions{})
}
