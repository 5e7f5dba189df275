// Package options has the flags for all commands.
package options

import (
	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options are the values of the flags, and the client.
type Options struct {
	DryRun    bool
	Namespace string
	Client    client.Client
}

// AddFlags adds the flags to a set.
func (o *Options) AddFlags(set *pflag.FlagSet) {
	set.BoolVar(&o.DryRun, "dry-run", false, "only print what would be done")
	set.StringVar(&o.Namespace, "in", "", "")
}

// Name does not return the dry run.
func Name(o *Options) string { return o.Namespace }
