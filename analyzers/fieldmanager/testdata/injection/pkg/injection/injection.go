// Package injection has the signatures of knative's package.
package injection

import (
	"context"

	"k8s.io/client-go/rest"
)

// ParseAndGetRESTConfigOrDie returns a new configuration.
func ParseAndGetRESTConfigOrDie() *rest.Config { return nil }

// GetConfig returns the configuration that all clients share.
func GetConfig(ctx context.Context) *rest.Config { return nil }
