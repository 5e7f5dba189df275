// Package options has what all commands share.
package options

import "sigs.k8s.io/controller-runtime/pkg/client"

type Options struct {
	DryRun    bool
	Namespace string
	Client    client.Client
}
