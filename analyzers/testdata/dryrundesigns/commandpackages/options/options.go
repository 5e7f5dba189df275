// Package options has the options of all commands.
package options

import "sigs.k8s.io/controller-runtime/pkg/client"

type Options struct {
	DryRun    bool
	Namespace string
	Client    client.Client
}
