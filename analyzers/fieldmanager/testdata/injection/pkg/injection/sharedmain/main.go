// Package sharedmain has the signatures of knative's package.
package sharedmain

import (
	"context"

	"k8s.io/client-go/rest"
	"knative.dev/pkg/controller"
)

// MainWithContext runs controllers.
func MainWithContext(ctx context.Context, component string, ctors ...func(context.Context) error) {}

// WebhookMainWithContext is another name of MainWithContext.
var WebhookMainWithContext = MainWithContext

// MainWithConfig runs controllers with a configuration.
func MainWithConfig(ctx context.Context, component string, cfg *rest.Config, ctors ...func(context.Context) *controller.Impl) {
}
