// Command passedfalse passes false for the dry run, or leaves it out.
package main

import (
	"context"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

// Args are the arguments of Clean.
type Args struct {
	Names  []string
	DryRun bool
}

// Client removes Secrets and Pods.
type Client struct{ cs kubernetes.Interface }

// Clean removes Secrets.
func (c *Client) Clean(ctx context.Context, args Args) error {
	for _, name := range args.Names {
		if args.DryRun {
			continue
		}
		if err := c.cs.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// Purge removes a Pod.
func (c *Client) Purge(ctx context.Context, name string, dryRun bool) error {
	if dryRun {
		return nil
	}
	return c.cs.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{})
}

// Resume updates a Pod, and tries again after a conflict.
func (c *Client) Resume(ctx context.Context, args Args) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		pod, err := c.cs.CoreV1().Pods("a").Get(ctx, args.Names[0], metav1.GetOptions{})
		if err != nil {
			return err
		}
		if !args.DryRun {
			_, err = c.cs.CoreV1().Pods("a").Update(ctx, pod, metav1.UpdateOptions{})
		}
		return err
	})
}

var (
	dryRun bool
	client = &Client{}
)

func main() {
	var names []string
	cmd := &cobra.Command{
		Use: "clean",
		RunE: func(c *cobra.Command, args []string) error {
			names = args
			if err := clean(c.Context(), names); err != nil {
				return err
			}
			if err := variables(c.Context(), names); err != nil {
				return err
			}
			return receivers(c.Context(), names)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	_ = cmd.Execute()
}

func clean(ctx context.Context, names []string) error {
	if err := client.Clean(ctx, Args{Names: names}); err != nil { // want "does not set DryRun of its Args to .*--dry-run.*, so a dry run deletes a Secret"
		return err
	}
	if err := client.Clean(ctx, Args{Names: names, DryRun: false}); err != nil { // want "does not set DryRun of its Args"
		return err
	}
	if err := client.Clean(ctx, Args{ // want "does not set DryRun of its Args"
		Names: names, // all of them
	}); err != nil {
		return err
	}
	if err := client.Clean(ctx, Args{names, false}); err != nil { // want "does not set DryRun of its Args"
		return err
	}
	if err := client.Resume(ctx, Args{Names: names}); err != nil { // want "does not set DryRun of its Args to .*--dry-run.*, so a dry run updates a Pod"
		return err
	}
	if err := client.Resume(ctx, Args{Names: names, DryRun: dryRun}); err != nil {
		return err
	}
	return client.Purge(ctx, names[0], false) // want "passes false instead of .*--dry-run.* for the parameter dryRun, so a dry run deletes a Pod"
}

// The arguments are in a variable.
func variables(ctx context.Context, names []string) error {
	args := Args{Names: names}
	if err := client.Clean(ctx, args); err != nil { // want "does not set DryRun of its Args to dryRun"
		return err
	}
	off := Args{DryRun: false}
	if err := client.Clean(ctx, off); err != nil { // want "does not set DryRun of its Args to dryRun"
		return err
	}
	var declared = Args{names, false}
	if err := client.Clean(ctx, declared); err != nil { // want "does not set DryRun of its Args to dryRun"
		return err
	}
	return nil
}

// Remover removes Pods.
type Remover struct {
	cs     kubernetes.Interface
	dryRun bool
}

// Remove removes a Pod.
func (r *Remover) Remove(ctx context.Context, name string) error {
	if r.dryRun {
		return nil
	}
	return r.cs.CoreV1().Pods("a").Delete(ctx, name, metav1.DeleteOptions{})
}

// The receiver does not know about the dry run.
func receivers(ctx context.Context, names []string) error {
	r := &Remover{cs: client.cs}
	if err := r.Remove(ctx, names[0]); err != nil { // want "the call of Remove does not set dryRun of its Remover to dryRun"
		return err
	}
	filled := &Remover{}
	filled.cs = client.cs
	if err := filled.Remove(ctx, names[0]); err != nil { // want "the call of Remove does not set dryRun of its Remover to dryRun"
		return err
	}
	off := &Remover{cs: client.cs}
	off.dryRun = false
	return off.Remove(ctx, names[0]) // want "the call of Remove does not set dryRun of its Remover to dryRun"
}
