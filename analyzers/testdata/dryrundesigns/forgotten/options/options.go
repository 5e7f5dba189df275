// Package options binds the flags of a program, and uses no Kubernetes.
package options

import "github.com/spf13/pflag"

type Options struct {
	DryRun    bool
	Namespace string
}

func (o *Options) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.DryRun, "dry-run", false, "change nothing")
	flags.StringVar(&o.Namespace, "namespace", "", "the namespace")
}

// Take returns the options of the command line.
func Take() *Options {
	o := &Options{}
	o.AddFlags(pflag.CommandLine)
	pflag.Parse()
	return o
}

// Plain returns options that no flag sets.
func Plain() PlainOptions { return PlainOptions{Namespace: "a"} }

type PlainOptions struct {
	DryRun    bool
	Namespace string
}
