// Package command has a command whose flags are fields of its options.
package command

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type options struct {
	dryRun  bool
	pretend bool
	force   bool
	client  kubernetes.Interface
	cr      client.Client
}

func newCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:  "clean",
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only say what would be deleted")
	cmd.Flags().BoolVar(&o.pretend, "dry-run-namespaces", false, "usage that says dry-run")
	cmd.Flags().BoolVar(&o.force, "force", false, "not with --dry-run")
	return cmd
}

func (o *options) run(ctx context.Context) error {
	if o.dryRun {
		fmt.Println("would delete")
	} else {
		if err := o.client.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	if err := o.guardedByCaller(ctx); err != nil {
		return err
	}
	if !o.dryRun {
		if err := o.onlyFromGuard(ctx); err != nil {
			return err
		}
	}
	return o.forgotten(ctx)
}

func (o *options) guardedByCaller(ctx context.Context) error {
	if o.dryRun {
		return nil
	}
	return o.inner(ctx)
}

func (o *options) inner(ctx context.Context) error {
	_, err := o.client.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{})
	return err
}

func (o *options) onlyFromGuard(ctx context.Context) error {
	return o.cr.Delete(ctx, &corev1.Pod{})
}

func (o *options) forgotten(ctx context.Context) error {
	if err := o.cr.Delete(ctx, &corev1.ConfigMap{}); err != nil { // want `the write ignores o.dryRun \(--dry-run\), so a dry run deletes a ConfigMap; skip the write or pass client.DryRunAll`
		return err
	}
	err := o.client.CoreV1().ConfigMaps("a").Delete(ctx, "c", metav1.DeleteOptions{}) // want `so a dry run deletes a ConfigMap; skip the write or set DryRun`
	if err != nil {
		return err
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return o.cr.Update(ctx, &corev1.Secret{}) // want `so a dry run updates a Secret`
	})
}

// Variables checks conditions that are stored in variables.
func (o *options) Variables(ctx context.Context) error {
	really := !o.dryRun
	if really {
		return o.cr.Delete(ctx, &corev1.Pod{})
	}
	skip := o.dryRun || o.force
	if !skip {
		return o.cr.Delete(ctx, &corev1.Pod{})
	}
	if o.force && !o.dryRun {
		return o.cr.Delete(ctx, &corev1.Pod{})
	}
	if o.isDryRun() {
		return nil
	}
	return o.cr.Delete(ctx, &corev1.Pod{})
}

func (o *options) isDryRun() bool { return o.dryRun }

func (o *options) mayWrite() bool {
	if o.dryRun {
		return false
	}
	return o.force
}

// Helper calls a function with another name that checks the dry run.
func (o *options) Helper(ctx context.Context) error {
	if o.mayWrite() {
		return o.cr.Delete(ctx, &corev1.Pod{})
	}
	return o.cr.Update(ctx, &corev1.Pod{}) // want `so a dry run updates a Pod`
}

// Exits ends the program in a dry run.
func (o *options) Exits(ctx context.Context) error {
	if o.dryRun {
		fmt.Println("nothing is done")
		os.Exit(0)
	}
	return o.cr.Delete(ctx, &corev1.Pod{})
}

// Passes sends the dry run to the server.
func (o *options) Passes(ctx context.Context) error {
	opts := metav1.CreateOptions{}
	if o.dryRun {
		opts.DryRun = []string{metav1.DryRunAll}
	}
	if _, err := o.client.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, opts); err != nil {
		return err
	}
	var list []client.DeleteOption
	if o.dryRun {
		list = append(list, client.DryRunAll)
	}
	return o.cr.Delete(ctx, &corev1.Pod{}, list...)
}

// Conditional chooses the client.
func (o *options) Conditional(ctx context.Context) error {
	c := o.cr
	if o.dryRun {
		c = client.NewDryRunClient(c)
	}
	return c.Delete(ctx, &corev1.Pod{})
}

// Report writes only in a dry run.
func (o *options) Report(ctx context.Context) error {
	if o.dryRun {
		return o.cr.Create(ctx, &corev1.ConfigMap{})
	}
	return nil
}

type replaceOptions struct {
	dryRun, force, cascade bool
	client                 client.Client
}

func (o *replaceOptions) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "")
}

func (o *replaceOptions) Validate() error {
	if o.force && o.dryRun {
		return fmt.Errorf("--dry-run can not be used with --force")
	}
	return nil
}

// Run never runs as a dry run with force: Validate refuses both together.
func (o *replaceOptions) Run(ctx context.Context) error {
	if o.force {
		return o.client.Delete(ctx, &corev1.Pod{})
	}
	if o.force {
		return o.forced(ctx)
	}
	if o.cascade {
		return o.client.Delete(ctx, &corev1.Secret{}) // want `the write ignores o.dryRun \(--dry-run\), so a dry run deletes a Secret`
	}
	return o.client.Update(ctx, &corev1.Pod{}) // want `the write ignores o.dryRun \(--dry-run\), so a dry run updates a Pod`
}

func (o *replaceOptions) forced(ctx context.Context) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return o.client.Create(ctx, &corev1.Pod{})
	})
}

type installOptions struct {
	dryRun, install, wait bool
	client                client.Client
}

func (o *installOptions) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "")
	cmd.Flags().BoolVar(&o.install, "install", true, "")
	cmd.Flags().BoolVar(&o.wait, "wait", true, "")
}

func (o *installOptions) Complete(cmd *cobra.Command) {
	if o.dryRun && len(cmd.Use) > 0 {
		o.install = false
	}
}

// Run does not install in a dry run: Complete unsets the field install.
func (o *installOptions) Run(ctx context.Context) error {
	if o.install {
		if err := o.client.Create(ctx, &corev1.Namespace{}); err != nil {
			return err
		}
	}
	if o.wait {
		return o.client.Create(ctx, &corev1.Pod{}) // want `the write ignores o.dryRun \(--dry-run\), so a dry run creates a Pod`
	}
	return nil
}

type commonFlags struct{ dryRun bool }

type labelOptions struct {
	Flags  *commonFlags
	client client.Client
}

func (o *labelOptions) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.Flags.dryRun, "dry-run", false, "")
}

func (o *labelOptions) Run(ctx context.Context) error {
	if err := o.client.Create(ctx, &corev1.Namespace{}); err != nil { // want `the write ignores o.Flags.dryRun \(--dry-run\), so a dry run creates a Namespace`
		return err
	}
	if o.Flags.dryRun {
		return nil
	}
	return o.client.Create(ctx, &corev1.Pod{})
}
