// Package fixes has writes in many places and with many forms of options, for the
// fixes.
package fixes

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type command struct {
	cs   kubernetes.Interface
	c    client.Client
	opts metav1.DeleteOptions
}

// The options are a literal with fields, in the condition of an if statement.
func (c *command) Literal(ctx context.Context, dryRun bool) error {
	if _, err := c.cs.CoreV1().Pods("a").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{FieldManager: "me"}); err != nil { // want `so a dry run creates a Pod`
		return err
	}
	return nil
}

// Two writes have the same verb, and one name is taken.
func (c *command) Names(ctx context.Context, dryRun bool, updateOptions string) error {
	if err := c.cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	if updateOptions != "" {
		if err := c.cs.CoreV1().Secrets("a").Delete(ctx, "p", metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Secret`
			return err
		}
	}
	_, err := c.cs.CoreV1().Nodes().Update(ctx, &corev1.Node{}, metav1.UpdateOptions{}) // want `so a dry run updates a Node`
	return err
}

// Writes with the same options share a variable, also in inner blocks.
func (c *command) Same(ctx context.Context, dryRun bool) error {
	if err := c.cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	for _, name := range []string{"a", "b"} {
		if err := c.cs.CoreV1().Secrets("a").Delete(ctx, name, metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Secret`
			return err
		}
	}
	return c.c.Delete(ctx, &corev1.Pod{}) // want `so a dry run deletes a Pod`
}

// Several writes share a variable.
func (c *command) Shared(ctx context.Context, dryRun bool) error {
	opts := metav1.DeleteOptions{}
	if err := c.cs.CoreV1().Pods("a").Delete(ctx, "p", opts); err != nil { // want `so a dry run deletes a Pod`
		return err
	}
	return c.cs.CoreV1().Pods("a").Delete(ctx, "q", opts) // want `so a dry run deletes a Pod`
}

// The variable is declared before the dry run is known.
func (c *command) Early(cmd *cobra.Command) error {
	opts := metav1.DeleteOptions{}
	dryRun, err := cmd.Flags().GetBool("dry-run")
	if err != nil {
		return err
	}
	if !dryRun {
		println("really")
	}
	return c.cs.CoreV1().Pods("a").Delete(cmd.Context(), "p", opts) // want `so a dry run deletes a Pod`
}

// The fix does not change options that other code shares.
func (c *command) Field(ctx context.Context, dryRun bool) error {
	return c.cs.CoreV1().Pods("a").Delete(ctx, "p", metav1.DeleteOptions{GracePeriodSeconds: c.opts.GracePeriodSeconds}) // want `so a dry run deletes a Pod`
}

// No statement is possible before an else, or in each round of a loop condition.
func (c *command) NoPlace(ctx context.Context, dryRun bool) error {
	if len(c.opts.DryRun) > 1 {
		return nil
	} else if err := c.c.Create(ctx, &corev1.Pod{}); err != nil { // want `so a dry run creates a Pod`
		return err
	}
	for c.c.Delete(ctx, &corev1.Pod{}) != nil { // want `so a dry run deletes a Pod`
	}
	return nil
}

// Options of controller-runtime.
func (c *command) Runtime(ctx context.Context, dryRun bool) error {
	if err := c.c.Create(ctx, &corev1.Pod{}, client.FieldOwner("me")); err != nil { // want `so a dry run creates a Pod`
		return err
	}
	if err := c.c.Status().Update(ctx, &corev1.Pod{}); err != nil { // want `so a dry run updates the status of a Pod`
		return err
	}
	opts := []client.PatchOption{client.FieldOwner("me")}
	return c.c.Patch(ctx, &corev1.Pod{}, client.Merge, opts...) // want `so a dry run patches a Pod`
}

type strategies struct {
	strategy cmdutil.DryRunStrategy
	local    bool
	client   resource.RESTClient
	info     *resource.Info
}

func (o *strategies) Complete(cmd *cobra.Command) (err error) {
	o.strategy, err = cmdutil.GetDryRunStrategy(cmd)
	return err
}

// The condition guards only the write.
func (o *strategies) Guarded() error {
	if !o.local {
		_, err := resource.
			NewHelper(o.client, o.info.Mapping).
			Replace("a", "b", true, o.info.Object) // want `o.strategy, so a dry run updates an object; skip the write or call DryRun\(true\) on the helper`
		if err != nil {
			return err
		}
	}
	return o.used()
}

// The write has no condition that the fix can extend.
func (o *strategies) Plain() error {
	helper := resource.NewHelper(o.client, o.info.Mapping)
	_, err := helper.Replace("a", "b", true, o.info.Object) // want `so a dry run updates an object`
	if err != nil {
		return err
	}
	return o.used()
}

// The write is a dry run for the server only. The condition guards only the write.
func (o *strategies) ServerOnly() error {
	if !o.local {
		_, err := resource.
			NewHelper(o.client, o.info.Mapping).
			DryRun(o.strategy == cmdutil.DryRunServer).
			Replace("a", "b", true, o.info.Object) // want `skip the write for it`
		if err != nil {
			return err
		}
	}
	return o.used()
}

// The condition guards more than the write.
func (o *strategies) Prints() error {
	if !o.local {
		_, err := resource.NewHelper(o.client, o.info.Mapping).DryRun(o.strategy == cmdutil.DryRunServer).Replace("a", "b", true, o.info.Object) // want `skip the write for it`
		if err != nil {
			return err
		}
		println("replaced")
	}
	return o.used()
}

func (o *strategies) used() error {
	if o.strategy == cmdutil.DryRunNone {
		_, err := resource.NewHelper(o.client, o.info.Mapping).Create("a", true, o.info.Object)
		return err
	}
	return nil
}

// The code waits for the created object. After a dry run, that object never exists.
func (c *command) Await(ctx context.Context, dryRun bool) error {
	if _, err := c.cs.AppsV1().Deployments("a").Create(ctx, &appsv1.Deployment{}, metav1.CreateOptions{}); err != nil { // want `so a dry run creates a Deployment`
		return err
	}
	for {
		d, err := c.cs.AppsV1().Deployments("a").Get(ctx, "d", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if d.Status.ReadyReplicas > 0 {
			break
		}
		time.Sleep(time.Second)
	}
	return c.cs.AppsV1().Deployments("a").Delete(ctx, "d", metav1.DeleteOptions{}) // want `so a dry run deletes a Deployment`
}

// The function returns more than an error, so the fix does not know which values
// to return.
func (c *command) AwaitName(ctx context.Context, dryRun bool) (string, error) {
	if err := c.c.Create(ctx, &corev1.Pod{}); err != nil { // want `so a dry run creates a Pod`
		return "", err
	}
	made := &corev1.Pod{}
	err := c.c.Get(ctx, client.ObjectKey{Name: "p"}, made)
	return made.Name, err
}

// The options join the code for dry runs that precedes the write.
func (c *command) Prints(ctx context.Context, dryRun bool) error {
	if dryRun {
		println("would delete the Secret")
	}
	if err := c.cs.CoreV1().Secrets("a").Delete(ctx, "s", metav1.DeleteOptions{}); err != nil { // want `so a dry run deletes a Secret`
		return err
	}
	opts := metav1.CreateOptions{FieldManager: "me"}
	if dryRun {
		println("would create the Node")
	}
	_, err := c.cs.CoreV1().Nodes().Create(ctx, &corev1.Node{}, opts) // want `so a dry run creates a Node`
	return err
}

// The code for dry runs does more than print.
func (c *command) Counts(ctx context.Context, count *int, dryRun bool) error {
	if dryRun {
		*count++
	}
	return c.c.Delete(ctx, &corev1.Pod{}) // want `so a dry run deletes a Pod`
}

// The options of controller-runtime are a struct.
func (c *command) Struct(ctx context.Context, dryRun bool) error {
	if err := c.c.Create(ctx, &corev1.Pod{}, &client.CreateOptions{FieldManager: "me"}); err != nil { // want `so a dry run creates a Pod`
		return err
	}
	updateOptions := &client.UpdateOptions{}
	updateOptions.FieldManager = "me"
	if err := c.c.Update(ctx, &corev1.Pod{}, client.FieldOwner("me"), updateOptions); err != nil { // want `so a dry run updates a Pod`
		return err
	}
	var patchOptions client.PatchOptions
	return c.c.Patch(ctx, &corev1.Pod{}, client.Merge, &patchOptions) // want `so a dry run patches a Pod`
}
