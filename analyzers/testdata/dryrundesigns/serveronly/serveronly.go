// Package serveronly passes the dry run to the server. Some commands forget that a user can
// also ask for a dry run by the client.
package serveronly

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

type options struct {
	local  bool
	side   cmdutil.DryRunStrategy
	info   *resource.Info
	client kubernetes.Interface
}

// New returns a command.
func New() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use: "set",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.side, err = cmdutil.GetDryRunStrategy(cmd); err != nil {
				return err
			}
			if err := o.replace(); err != nil {
				return err
			}
			if err := o.replaceChecked(); err != nil {
				return err
			}
			if err := o.create(cmd.Context()); err != nil {
				return err
			}
			if err := o.createChecked(cmd.Context()); err != nil {
				return err
			}
			if err := o.removeAll(cmd.Context()); err != nil {
				return err
			}
			if err := o.delete(); err != nil {
				return err
			}
			if err := o.deleteChecked(); err != nil {
				return err
			}
			return o.removeAllChecked(cmd.Context())
		},
	}
	cmdutil.AddDryRunFlag(cmd)
	return cmd
}

func (o *options) replace() error {
	if o.local {
		return nil
	}
	_, err := resource.NewHelper(o.info.Client, o.info.Mapping).
		DryRun(o.side == cmdutil.DryRunServer).
		Replace(o.info.Namespace, o.info.Name, true, o.info.Object) // want "the write is a dry run only if o.side asks the server for it, so --dry-run=client updates an object; skip the write for it"
	return err
}

func (o *options) replaceChecked() error {
	if o.local || o.side == cmdutil.DryRunClient {
		return nil
	}
	_, err := resource.NewHelper(o.info.Client, o.info.Mapping).
		DryRun(o.side == cmdutil.DryRunServer).
		Replace(o.info.Namespace, o.info.Name, true, o.info.Object)
	return err
}

func (o *options) create(ctx context.Context) error {
	opts := metav1.CreateOptions{}
	if o.side == cmdutil.DryRunServer {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := o.client.CoreV1().Pods("web").Create(ctx, &corev1.Pod{}, opts) // want "--dry-run=client creates a Pod"
	return err
}

func (o *options) createChecked(ctx context.Context) error {
	opts := metav1.CreateOptions{}
	switch o.side {
	case cmdutil.DryRunClient:
		return nil
	case cmdutil.DryRunServer:
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := o.client.CoreV1().Pods("web").Create(ctx, &corev1.Pod{}, opts)
	return err
}

// both sends every dry run to the server.
func (o *options) both(ctx context.Context) error {
	opts := metav1.CreateOptions{}
	if o.side != cmdutil.DryRunNone {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := o.client.CoreV1().Pods("web").Create(ctx, &corev1.Pod{}, opts)
	return err
}

// text has the strategy in a string, and refuses other strategies.
func text(ctx context.Context, cs kubernetes.Interface, dryRun string) error {
	opts := metav1.DeleteOptions{}
	switch dryRun {
	case "":
	case "server":
		opts.DryRun = []string{metav1.DryRunAll}
	default:
		return errors.New("only a dry run by the server is possible")
	}
	return cs.CoreV1().Pods("web").Delete(ctx, "p", opts)
}

func (o *options) removeAll(ctx context.Context) error {
	for _, name := range []string{"a", "b"} {
		if err := remove(ctx, o.client, name, o.side == cmdutil.DryRunServer); err != nil { // want "the call of remove is a dry run only if o.side asks the server for it, so --dry-run=client deletes a Pod; skip the call for it"
			return err
		}
	}
	return nil
}

func (o *options) removeAllChecked(ctx context.Context) error {
	for _, name := range []string{"a", "b"} {
		if o.side != cmdutil.DryRunClient {
			if err := remove(ctx, o.client, name, o.side == cmdutil.DryRunServer); err != nil {
				return err
			}
		}
	}
	return nil
}

func remove(ctx context.Context, c kubernetes.Interface, name string, serverDryRun bool) error {
	opts := metav1.DeleteOptions{}
	if serverDryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	return c.CoreV1().Pods("a").Delete(ctx, name, opts)
}

func (o *options) delete() error {
	helper := resource.NewHelper(o.info.Client, o.info.Mapping)
	if o.side == cmdutil.DryRunServer {
		helper = helper.DryRun(true)
	}
	_, err := helper.Delete(o.info.Namespace, o.info.Name) // want "the write is a dry run only if o.side asks the server for it, so --dry-run=client deletes an object; skip the write for it"
	return err
}

func (o *options) deleteChecked() error {
	helper := resource.NewHelper(o.info.Client, o.info.Mapping)
	switch o.side {
	case cmdutil.DryRunClient:
		return nil
	case cmdutil.DryRunServer:
		helper = helper.DryRun(true)
	}
	_, err := helper.Delete(o.info.Namespace, o.info.Name)
	return err
}
