package dryrunfacts // want package:"reads settings"

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Inject leads to a write through five functions, as in programs that connect many parts.
func Inject(ctx context.Context, c client.Client) error { return sources(ctx, c) } // want Inject:"writes: creates a ConfigMap"

func sources(ctx context.Context, c client.Client) error { return source(ctx, c) }

func source(ctx context.Context, c client.Client) error { return provider(ctx, c) }

func provider(ctx context.Context, c client.Client) error { return config(ctx, c) }

func config(ctx context.Context, c client.Client) error { return store(ctx, c) }

func store(ctx context.Context, c client.Client) error { return c.Create(ctx, &corev1.ConfigMap{}) }
