// Package tools has functions that a framework calls with arguments decoded from JSON.
package tools

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type ScaleArgs struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run"`
}

type RestartArgs struct {
	Name    string `json:"name"`
	Preview bool   `json:"dry_run"`
}

type Server struct{ c client.Client }

func (s *Server) Register(add func(name string, fn any)) {
	add("scale", s.scale)
	add("restart", s.restart)
}

func (s *Server) scale(ctx context.Context, args ScaleArgs) (string, error) {
	if err := s.c.Create(ctx, &corev1.Namespace{}); err != nil { // want "dry run creates a Namespace"
		return "", err
	}
	if args.DryRun {
		return "would scale", nil
	}
	return "scaled", s.c.Update(ctx, &corev1.Pod{})
}

func (s *Server) restart(ctx context.Context, args RestartArgs) (string, error) {
	if !args.Preview {
		if err := s.c.Delete(ctx, &corev1.Pod{}); err != nil {
			return "", err
		}
	}
	return "", s.annotate(ctx, args.Name)
}

func (s *Server) annotate(ctx context.Context, name string) error {
	return s.c.Update(ctx, &corev1.Pod{}) // want "dry run updates a Pod"
}
