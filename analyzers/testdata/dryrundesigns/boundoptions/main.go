// Command boundoptions binds the flags of another package's options.
package main

import (
	"context"
	"os"

	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/dryrundesigns/boundoptions/api"
)

func main() {
	var o api.Options
	flags := pflag.NewFlagSet("promote", pflag.ExitOnError)
	o.Bind(flags)
	_ = flags.Parse(os.Args[1:])
	var c client.Client
	ctx := context.Background()
	_ = api.Promote(ctx, c, o)
	_ = api.Finish(ctx, api.Quiet(c, &o), o.Name)
	_ = api.Finish(ctx, c, o.Name) // want "the call of Finish ignores --dry-run, so a dry run deletes a Pod"
}
