// Package sharedmain has the signatures of knative's package.
package sharedmain

import "context"

// MainWithContext runs controllers.
func MainWithContext(ctx context.Context, component string, ctors ...func(context.Context) error) {}

// WebhookMainWithContext is another name of MainWithContext.
var WebhookMainWithContext = MainWithContext
