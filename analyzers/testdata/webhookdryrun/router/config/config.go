// Package config reads the settings of the handlers, and creates them if there are none.
package config

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Config reads settings.
type Config struct{ c client.Client }

// New returns a Config.
func New(c client.Client) *Config { return &Config{c} }

// Limit returns a setting.
func (c *Config) Limit(ctx context.Context) string { return c.read(ctx).Data["limit"] }

// Name returns a setting.
func (c *Config) Name(ctx context.Context) string { return c.read(ctx).Data["name"] }

func (c *Config) read(ctx context.Context) *corev1.ConfigMap {
	config := &corev1.ConfigMap{}
	if err := c.c.Get(ctx, client.ObjectKey{Name: "config"}, config); err != nil {
		_ = c.c.Create(ctx, config)
	}
	return config
}
