// Package argumentmap finds the dry run in maps of arguments.
package argumentmap

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type request struct {
	Arguments map[string]any
	raw       any
}

type server struct{ c client.Client }

func (s *server) Scale(ctx context.Context, r request) error {
	dryRun, _ := r.Arguments["dry_run"].(bool)
	if err := s.c.Update(ctx, &corev1.ConfigMap{}); err != nil { // want "the write ignores dry_run, so a dry run updates a ConfigMap"
		return err
	}
	if dryRun {
		return nil
	}
	return s.c.Update(ctx, &corev1.Pod{})
}

func (s *server) Remove(ctx context.Context, r request) error {
	args, ok := r.raw.(map[string]any)
	if !ok {
		return nil
	}
	return s.remove(ctx, args)
}

func (s *server) remove(ctx context.Context, args map[string]any) error {
	dryRun := false
	if v, ok := args["dryRun"].(bool); ok {
		dryRun = v
	}
	if !dryRun {
		if err := s.c.Delete(ctx, &corev1.Pod{}); err != nil {
			return err
		}
	}
	return s.c.Delete(ctx, &corev1.ConfigMap{}) // want "the write ignores dryRun, so a dry run deletes a ConfigMap"
}

func (s *server) Drain(ctx context.Context, args map[string]any) error {
	if v, ok := args["dry_run"]; ok && v.(bool) {
		return nil
	}
	return s.c.Delete(ctx, &corev1.Pod{})
}

func (s *server) Cordon(ctx context.Context, args map[string]any) error {
	dryRun := true
	if v, ok := args["dry_run"]; ok {
		if b, ok := v.(bool); ok {
			dryRun = b
		}
	}
	if dryRun {
		return nil
	}
	return s.c.Update(ctx, &corev1.Node{})
}

func (s *server) Text(ctx context.Context, args map[string]any) error {
	if text, _ := args["dry_run"].(string); text == "true" {
		return nil
	}
	return s.c.Update(ctx, &corev1.Node{})
}

// Act has two actions. Only the first has a dry run.
func (s *server) Act(ctx context.Context, args map[string]any) error {
	switch args["action"] {
	case "scale":
		if dryRun, _ := args["dry_run"].(bool); dryRun {
			return nil
		}
		return s.c.Update(ctx, &corev1.Pod{})
	case "remove":
		return s.c.Delete(ctx, &corev1.Pod{})
	}
	return nil
}

// Object has a dry run of its own.
func (s *server) Object(ctx context.Context, u *unstructured.Unstructured) error {
	spec, _ := u.Object["spec"].(map[string]any)
	dryRun, _ := spec["dryRun"].(bool)
	if err := s.c.Update(ctx, &corev1.ConfigMap{}); err != nil {
		return err
	}
	if dryRun {
		return nil
	}
	return s.c.Delete(ctx, &corev1.Pod{})
}
