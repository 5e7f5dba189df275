// Command worker has a configuration that other code shares, so there is no fix.
package main

import (
	"context"

	"knative.dev/pkg/injection"
	"knative.dev/pkg/injection/sharedmain"
	"knative.dev/pkg/webhook/certificates"
)

func main() {
	ctx := context.Background()
	cfg := injection.GetConfig(ctx)
	sharedmain.MainWithConfig(ctx, "worker", cfg, certificates.NewController) // want `the API server records 1 write of this program, in libraries, under`
}
