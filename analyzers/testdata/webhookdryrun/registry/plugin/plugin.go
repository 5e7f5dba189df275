// Package plugin has a registry of plugins that register themselves.
package plugin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

// Plugin changes pods.
type Plugin interface {
	Name() string
	Added(ctx context.Context, pod *corev1.Pod) error
	Updated(ctx context.Context, pod *corev1.Pod, dryRun bool) error
	Deleted(ctx context.Context, pod *corev1.Pod) error
}

var plugins = map[string]Plugin{}

// Register adds a plugin.
func Register(p Plugin) { plugins[p.Name()] = p }

// Get returns a plugin, or nil.
func Get(name string) Plugin { return plugins[name] }
