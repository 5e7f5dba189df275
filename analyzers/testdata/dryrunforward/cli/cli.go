// Command cli has its flags in variables.
package main

import (
	"context"
	"flag"
	"fmt"

	"example.org/clients/dryrunfacts"
	"example.org/clients/dryrunforward/engine"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var dryRun = flag.Bool("dry-run", false, "change nothing")

func main() {
	ctx := context.Background()
	var cs kubernetes.Interface
	clean(ctx, cs)
	if *dryRun {
		fmt.Println("would write")
		return
	}
	write(ctx, cs)
}

func clean(ctx context.Context, cs kubernetes.Interface) {
	_ = cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `the write ignores dryRun \(--dry-run\), so a dry run deletes a Pod`
}

func write(ctx context.Context, cs kubernetes.Interface) {
	_, _ = cs.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{})
}

func installCommand(c client.Client) *cobra.Command {
	var preview bool
	cmd := &cobra.Command{Use: "install"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := engine.Install(cmd.Context(), c); err != nil { // want `the call of Install ignores preview \(--dry-run\), so a dry run creates a Namespace`
			return err
		}
		if preview {
			return nil
		}
		return engine.Install(cmd.Context(), c)
	}
	cmd.Flags().BoolVar(&preview, "dry-run", false, "change nothing")
	return cmd
}

func uninstallCommand(c client.Client) *cobra.Command {
	return &cobra.Command{
		Use: "uninstall",
		RunE: func(cmd *cobra.Command, args []string) error {
			wish, err := cmd.Flags().GetBool("dry-run")
			if err != nil {
				return err
			}
			if err := engine.Uninstall(cmd.Context(), &engine.Config{DryRun: wish, Client: c}); err != nil {
				return err
			}
			if wish {
				return nil
			}
			return c.Delete(cmd.Context(), &corev1.Secret{})
		},
	}
}

// Other code creates the options, and may check them before it calls this
// function.
func pruneCommand(c client.Client, s dryrunfacts.Settings) *cobra.Command {
	return &cobra.Command{
		Use: "prune",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := dryrunfacts.Heedless(cmd.Context(), c, s); err != nil { // reported in Heedless
				return err
			}
			if s.DryRun {
				return nil
			}
			if err := c.Create(cmd.Context(), &corev1.Pod{}); err != nil {
				return err
			}
			return dryrunfacts.Heedless(cmd.Context(), c, s)
		},
	}
}

func purgeCommand(c client.Client, conf *engine.Config) *cobra.Command {
	return &cobra.Command{
		Use: "purge",
		RunE: func(cmd *cobra.Command, args []string) error {
			if conf.Quiet() {
				return nil
			}
			if err := c.Delete(cmd.Context(), &corev1.Secret{}); err != nil {
				return err
			}
			wish, _ := cmd.Flags().GetBool("dry-run")
			_ = wish
			return nil
		},
	}
}

type request struct{ Print bool }

func send(ctx context.Context, c client.Client, r *request) error {
	if r.Print {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}

// The dry run is passed on under another name.
func renamed(ctx context.Context, c client.Client) error {
	return send(ctx, c, &request{Print: *dryRun})
}

func saveCommand(c client.Client) *cobra.Command {
	var preview bool
	cmd := &cobra.Command{Use: "save"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := engine.Save(cmd.Context(), c, &corev1.ConfigMap{}, len(args) > 0); err != nil { // want `the call of Save ignores .*, so a dry run creates or patches a ConfigMap`
			return err
		}
		if err := engine.Grant(cmd.Context(), c); err != nil { // want `the call of Grant ignores .*, so a dry run creates a User`
			return err
		}
		if err := c.Status().Update(cmd.Context(), &corev1.Node{}); err != nil { // want `so a dry run updates the status of a Node`
			return err
		}
		if preview {
			return nil
		}
		return engine.Mark(cmd.Context(), c)
	}
	cmd.Flags().BoolVar(&preview, "dry-run", false, "change nothing")
	return cmd
}

// A part that is explicitly created without a dry run has no finding.
func serve(ctx context.Context, c client.Client, dryRun bool) error {
	maker := engine.New(c, false)
	certificates := engine.Certificates{Maker: maker}
	if err := certificates.Rotate(ctx, c); err != nil {
		return err
	}
	others := engine.Certificates{}
	if err := others.Rotate(ctx, c); err != nil { // want `the call of Rotate ignores .*, so a dry run creates a Secret`
		return err
	}
	if dryRun {
		return nil
	}
	return c.Create(ctx, &corev1.Pod{})
}
