// Package embedding has options that all commands embed.
package embedding

import (
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type global struct {
	DryRun bool
	client client.Client
}

type drainOptions struct {
	*global
	node string
}

type tagOptions struct {
	*global
	tag string
}

func New(c client.Client) *cobra.Command {
	g := &global{client: c}
	root := &cobra.Command{Use: "tool"}
	root.PersistentFlags().BoolVar(&g.DryRun, "dry-run", false, "change nothing")
	drain := &drainOptions{global: g}
	tag := &tagOptions{global: g}
	root.AddCommand(&cobra.Command{Use: "drain", RunE: drain.run}, &cobra.Command{Use: "tag", RunE: tag.run})
	return root
}

func (o *drainOptions) run(cmd *cobra.Command, args []string) error {
	o.node = args[0]
	if o.DryRun {
		return nil
	}
	return o.client.Delete(cmd.Context(), &corev1.Pod{})
}

func (o *tagOptions) run(cmd *cobra.Command, args []string) error {
	o.tag = args[0]
	return o.client.Update(cmd.Context(), &corev1.Node{}) // want "dry run updates a Node"
}
