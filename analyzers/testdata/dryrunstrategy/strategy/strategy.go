// Package strategy has functions that get a strategy with both kinds of dry run.
package strategy

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
	strategy cmdutil.DryRunStrategy
	client   kubernetes.Interface
}

func (o *options) Complete(cmd *cobra.Command) (err error) {
	o.strategy, err = cmdutil.GetDryRunStrategy(cmd)
	return err
}

func (o *options) ClientOnly(ctx context.Context) error {
	if o.strategy == cmdutil.DryRunClient {
		return nil
	}
	_, err := o.client.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{}) // want `o.strategy is checked only for a client-side dry run, so --dry-run=server creates a Pod; skip the write or set DryRun: \[\]string{metav1.DryRunAll}`
	return err
}

func (o *options) Both(ctx context.Context) error {
	if o.strategy == cmdutil.DryRunClient {
		return nil
	}
	opts := metav1.CreateOptions{}
	if o.strategy == cmdutil.DryRunServer {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	_, err := o.client.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, opts)
	return err
}

func (o *options) Neither(ctx context.Context) error {
	if o.strategy != cmdutil.DryRunNone {
		return nil
	}
	_, err := o.client.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{})
	return err
}

func (o *options) Switch(ctx context.Context) error {
	switch o.strategy {
	case cmdutil.DryRunClient, cmdutil.DryRunServer:
		return nil
	}
	return o.client.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{})
}

func (o *options) HelperState(c resource.RESTClient, info *resource.Info) error {
	helper := resource.NewHelper(c, info.Mapping).DryRun(o.strategy == cmdutil.DryRunServer)
	if o.strategy == cmdutil.DryRunClient {
		return nil
	}
	_, err := helper.Create("a", true, info.Object)
	return err
}

func Text(ctx context.Context, cs kubernetes.Interface, dryRun string) error {
	if dryRun == "client" {
		return nil
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `dryRun is checked only for a client-side dry run, so a server-side dry run deletes a Pod`
}

func TextBoth(ctx context.Context, cs kubernetes.Interface, dryRun string) error {
	var list []string
	switch dryRun {
	case "client":
		return nil
	case "server":
		list = []string{metav1.DryRunAll}
	}
	return cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{DryRun: list})
}

type refusing struct {
	strategy cmdutil.DryRunStrategy
	local    bool
	client   kubernetes.Interface
}

func (o *refusing) Validate() error {
	if o.local && o.strategy == cmdutil.DryRunServer {
		return errors.New("cannot specify --local and --dry-run=server")
	}
	return nil
}

func (o *refusing) Run(ctx context.Context) error {
	if o.strategy == cmdutil.DryRunClient {
		return nil
	}
	if o.local {
		return o.client.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{})
	}
	return o.client.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}) // want `o.strategy is checked only for a client-side dry run, so --dry-run=server deletes a Pod`
}
