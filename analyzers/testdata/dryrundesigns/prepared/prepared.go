// Package prepared has functions that get a struct with the dry run. Their
// callers, or functions that they call, respect it.
package prepared

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Options struct {
	DryRun bool
	Force  bool
}

type Args struct {
	DryRun bool `json:"dry_run"`
	Mode   string
}

type Server struct{ c client.Client }

func (s *Server) Register(add func(name string, fn any)) { add("remove", s.remove) }

// remove has a mode that cannot be a dry run.
func (s *Server) remove(ctx context.Context, args Args) error {
	if args.DryRun && args.Mode == "purge" {
		return errors.New("purge cannot be a dry run")
	}
	if args.Mode == "purge" {
		return s.c.DeleteAllOf(ctx, &corev1.Pod{})
	}
	if args.DryRun {
		return nil
	}
	return s.c.Delete(ctx, &corev1.Pod{})
}

// Sync creates the pods of its plan. In a dry run, the plan has no pods.
func (s *Server) Sync(ctx context.Context, o Options) error {
	for _, pod := range s.plan(o) {
		if err := s.c.Create(ctx, pod); err != nil {
			return err
		}
	}
	if o.DryRun {
		println("nothing was created")
	}
	return nil
}

func (s *Server) plan(o Options) []*corev1.Pod {
	if o.DryRun {
		return nil
	}
	return []*corev1.Pod{{}}
}

// Apply calls drop only outside dry runs, although drop also checks the dry run.
func (s *Server) Apply(ctx context.Context, o Options) error {
	if o.DryRun {
		return nil
	}
	return s.drop(ctx, o)
}

func (s *Server) drop(ctx context.Context, o Options) error {
	if err := s.c.Delete(ctx, &corev1.Secret{}); err != nil {
		return err
	}
	if !o.DryRun {
		return s.c.Delete(ctx, &corev1.Pod{})
	}
	return nil
}

// Print passes the dry run in the options of its write.
func (s *Server) Print(ctx context.Context, o Options) error {
	return s.print(ctx, o)
}

func (s *Server) print(ctx context.Context, o Options) error {
	if o.Force {
		return s.c.Create(ctx, client.Object(&corev1.Pod{}), s.options(o)...)
	}
	return nil
}

func (s *Server) options(o Options) []client.CreateOption {
	if o.DryRun {
		return []client.CreateOption{client.DryRunAll}
	}
	return nil
}

// mapper labels the objects that it creates in a dry run.
type mapper struct {
	c   client.Client
	dry bool
}

func newMapper(c client.Client, dryRun bool) *mapper { return &mapper{c: c, dry: dryRun} }

func (m *mapper) Create(ctx context.Context, cm *corev1.ConfigMap) error {
	if m.dry {
		cm.Labels["dry-run"] = "yes"
	}
	return m.c.Create(ctx, cm)
}

func Map(ctx context.Context, c client.Client, dryRun bool) error {
	m := newMapper(c, dryRun)
	return m.Create(ctx, &corev1.ConfigMap{})
}
