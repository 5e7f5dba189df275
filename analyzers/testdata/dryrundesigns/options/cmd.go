// Package options has the steps complete, validate and run, as plugins of kubectl do.
package options

import (
	"context"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

type cordon struct {
	strategy cmdutil.DryRunStrategy
	cs       kubernetes.Interface
}

func New(cs kubernetes.Interface) *cobra.Command {
	o := &cordon{cs: cs}
	cmd := &cobra.Command{Use: "cordon", Run: func(cmd *cobra.Command, args []string) {
		cmdutil.CheckErr(o.complete(cmd))
		cmdutil.CheckErr(o.run(cmd.Context()))
	}}
	cmdutil.AddDryRunFlag(cmd)
	return cmd
}

func (o *cordon) complete(cmd *cobra.Command) (err error) {
	o.strategy, err = cmdutil.GetDryRunStrategy(cmd)
	return err
}

func (o *cordon) run(ctx context.Context) error {
	if err := o.mark(ctx); err != nil {
		return err
	}
	if o.strategy == cmdutil.DryRunClient {
		return nil
	}
	opts := metav1.UpdateOptions{}
	if o.strategy == cmdutil.DryRunServer {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := o.cs.CoreV1().Nodes().Update(ctx, &corev1.Node{}, opts)
	return err
}

func (o *cordon) mark(ctx context.Context) error {
	_, err := o.cs.CoreV1().ConfigMaps("a").Update(ctx, &corev1.ConfigMap{}, metav1.UpdateOptions{}) // want "dry run updates a ConfigMap"
	return err
}

type unread struct {
	dryRun bool
	cs     kubernetes.Interface
}

// NewUnread declares a flag that no code reads.
func NewUnread(cs kubernetes.Interface) *cobra.Command {
	o := &unread{cs: cs}
	cmd := &cobra.Command{Use: "uncordon", RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context()) }}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "change nothing")
	return cmd
}

func (o *unread) run(ctx context.Context) error {
	return o.cs.CoreV1().Secrets("a").Delete(ctx, "s", metav1.DeleteOptions{}) // want "dry run deletes a Secret"
}
