package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Client cleans.
type Client struct{ Kube kubernetes.Interface }

// CleanArgs are the arguments of Clean and Scale.
type CleanArgs struct {
	Names  []string
	DryRun bool
}

// Clean deletes Pods.
func (c *Client) Clean(ctx context.Context, args CleanArgs) error {
	for _, name := range args.Names {
		if args.DryRun {
			continue
		}
		if err := c.Kube.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// Count writes nothing.
func (c *Client) Count(ctx context.Context, args *CleanArgs) int { return len(args.Names) }

// Purge deletes Secrets.
func (c *Client) Purge(ctx context.Context, args *CleanArgs) error {
	if args.DryRun {
		return nil
	}
	return c.Kube.CoreV1().Secrets("a").Delete(ctx, args.Names[0], metav1.DeleteOptions{})
}

// Prune checks the variable of the flag itself.
func (c *Client) Prune(ctx context.Context, args CleanArgs) error {
	if args.DryRun || asked() {
		return nil
	}
	return c.Kube.CoreV1().Secrets("a").Delete(ctx, args.Names[0], metav1.DeleteOptions{})
}

func asked() bool { return dryRun }
