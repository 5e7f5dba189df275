// Package options has the flags of all commands.
package options

import (
	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options are what the flags say, and the client.
type Options struct {
	DryRun    bool
	Namespace string
	Client    client.Client
}

// AddFlags adds them.
func (o *Options) AddFlags(set *pflag.FlagSet) {
	set.BoolVar(&o.DryRun, "dry-run", false, "only print what would be done")
	set.StringVar(&o.Namespace, "in", "", "")
}

// Name is no wish.
func Name(o *Options) string { return o.Namespace }
