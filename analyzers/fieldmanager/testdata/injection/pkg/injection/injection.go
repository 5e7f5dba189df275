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

// Interface has the clients and informers that packages registered.
type Interface interface {
	SetupInformers(ctx context.Context, cfg *rest.Config) (context.Context, []any)
}

// Default has the clients and informers of the program.
var Default Interface
