// Command cleaner deletes what a namespace does not need any more. It is an
// example of what kubevet finds in Go code: it compiles, its tests would pass,
// and a user who asks for a dry run loses Secrets.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// cleaner is the command with its flags.
type cleaner struct {
	client client.Client
	dryRun bool
}

func main() {
	c := &cleaner{}
	pflag.BoolVar(&c.dryRun, "dry-run", false, "only print what would be deleted")
	pflag.Parse()
	if err := c.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (c *cleaner) run(ctx context.Context) error {
	cfg, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	if c.client, err = client.New(cfg, client.Options{}); err != nil {
		return err
	}
	var secrets corev1.SecretList
	if err := c.client.List(ctx, &secrets); err != nil {
		return err
	}
	for i := range secrets.Items {
		if err := c.client.Delete(ctx, &secrets.Items[i]); err != nil {
			return err
		}
	}
	return c.mark(ctx)
}

// mark leaves a note, and means to do so in a dry run, too.
func (c *cleaner) mark(ctx context.Context) error {
	note := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "cleaned"}}
	if c.dryRun {
		return c.client.Create(ctx, note, &client.CreateOptions{DryRun: []string{"server"}})
	}
	return c.client.Create(ctx, note)
}
