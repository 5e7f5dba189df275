// Package cleanup undoes its changes. In a dry run, there are no changes.
package cleanup

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"example.org/clients/dryrunfacts"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Create(ctx context.Context, c client.Client, dryRun bool) error {
	var made *corev1.Secret
	if !dryRun {
		made = &corev1.Secret{}
		if err := c.Create(ctx, made); err != nil {
			return err
		}
	}
	if err := check(); err != nil {
		if made != nil {
			_ = c.Delete(ctx, made)
		}
		_ = c.Delete(ctx, &corev1.ConfigMap{}) // want `the write ignores dryRun, so a dry run deletes a ConfigMap`
		return err
	}
	return nil
}

func Several(ctx context.Context, c client.Client, dryRun bool) (err error) {
	var made []client.Object
	defer func() {
		if err != nil && len(made) > 0 {
			_ = c.Delete(ctx, made[0])
		}
		if err != nil {
			_ = c.Delete(ctx, &corev1.Pod{}) // want `the write ignores dryRun, so a dry run deletes a Pod`
		}
	}()
	if !dryRun {
		s := &corev1.Secret{}
		if err := c.Create(ctx, s); err != nil {
			return err
		}
		made = append(made, s)
	}
	return check()
}

// In a dry run, the function returns nil.
func Owned(ctx context.Context, c client.Client, dryRun bool) error {
	owned, err := prepare(ctx, c, dryRun)
	if err != nil {
		return err
	}
	if owned != nil {
		return c.Delete(ctx, owned)
	}
	return nil
}

func prepare(ctx context.Context, c client.Client, dryRun bool) (owned *corev1.Secret, err error) {
	if dryRun {
		return nil, nil
	}
	owned = &corev1.Secret{}
	return owned, c.Create(ctx, owned)
}

// These flags exclude each other.
func command(c client.Client) *cobra.Command {
	var dryRun, resume, fast bool
	cmd := &cobra.Command{Use: "shrink"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dryRun && resume {
			return errors.New("--resume cannot be a dry run")
		}
		if resume {
			return c.Delete(cmd.Context(), &corev1.PersistentVolumeClaim{})
		}
		if fast {
			return c.Delete(cmd.Context(), &corev1.Pod{}) // want `so a dry run deletes a Pod`
		}
		if dryRun {
			fmt.Println("would create")
			return nil
		}
		return c.Create(cmd.Context(), &corev1.PersistentVolumeClaim{})
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing")
	cmd.Flags().BoolVar(&resume, "resume", false, "go on where it stopped")
	cmd.Flags().BoolVar(&fast, "fast", false, "do not wait")
	return cmd
}

func parsed(ctx context.Context, c client.Client) {
	fs := flag.NewFlagSet("move", flag.ExitOnError)
	preview := fs.Bool("dry-run", false, "change nothing")
	undo := fs.Bool("undo", false, "not with --dry-run")
	_ = fs.Parse(nil)
	if *preview && *undo {
		log.Fatal("--undo cannot be a dry run")
	}
	if *undo {
		_ = c.Delete(ctx, &corev1.Secret{})
		return
	}
	if !*preview {
		_ = c.Create(ctx, &corev1.Secret{})
	}
}

// A function that checks the dry run may respect it in a way that the analysis does not follow.
func Tidy(ctx context.Context, c client.Client, dryRun bool) error {
	if err := dryrunfacts.Careful(ctx, c, dryrunfacts.Settings{DryRun: dryRun}); err != nil {
		return err
	}
	if dryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Secret{})
}

func check() error { return nil }

// The map has clients for dry runs if dryRun is set.
func everywhere(ctx context.Context, configs []string, dryRun bool) error {
	clients := map[string]client.Client{}
	func() {
		for _, c := range configs {
			cl := open(c)
			if dryRun {
				cl = client.NewDryRunClient(cl)
			}
			clients[c] = cl
		}
	}()
	return sweep(ctx, clients)
}

func sweep(ctx context.Context, clients map[string]client.Client) error {
	for _, c := range clients {
		if err := sweepOne(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func sweepOne(ctx context.Context, c client.Client) error {
	return c.Delete(ctx, &corev1.Secret{})
}

func open(string) client.Client { return nil }

// The name of the object shows that its task is a dry run.
type runner struct {
	dryRun bool
	client client.Client
}

func (r *runner) run(ctx context.Context) error {
	job := r.job()
	if err := r.client.Create(ctx, job); err != nil {
		return err
	}
	if r.dryRun {
		return nil
	}
	return r.client.Delete(ctx, job)
}

func (r *runner) job() *corev1.Pod {
	p := &corev1.Pod{}
	if r.dryRun {
		p.Name = "dry"
	}
	return p
}

// Another flag confirms the deletion.
func prune(ctx context.Context, c client.Client, confirm, dryRun bool) error {
	if confirm {
		return c.Delete(ctx, &corev1.Secret{})
	}
	if dryRun {
		return nil
	}
	return c.Delete(ctx, &corev1.Pod{})
}
