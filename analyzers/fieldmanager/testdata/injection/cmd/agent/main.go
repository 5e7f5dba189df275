// Command agent runs reconcilers of another module that only read, or name a manager.
package main

import (
	"context"

	"knative.dev/pkg/injection"
	"knative.dev/pkg/injection/sharedmain"
	"knative.dev/pkg/webhook/certificates"
)

func main() {
	cfg := injection.ParseAndGetRESTConfigOrDie()
	sharedmain.MainWithConfig(context.Background(), "agent", cfg, certificates.NewWatcher, certificates.NewSigner)
}

func unused(ctx context.Context) { certificates.NewController(ctx) }
