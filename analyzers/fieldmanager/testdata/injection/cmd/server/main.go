// Command server writes only in a reconciler of another module.
package main

import (
	"context"

	"knative.dev/pkg/injection"
	"knative.dev/pkg/injection/sharedmain"
	"knative.dev/pkg/webhook/certificates"
)

func main() {
	cfg := injection.ParseAndGetRESTConfigOrDie()
	sharedmain.MainWithConfig(context.Background(), "server", cfg, certificates.NewController) // want `the API server records 1 write of this program, in libraries, under the field manager "server", the name of the binary, which other programs share: set UserAgent in its configuration`
}
