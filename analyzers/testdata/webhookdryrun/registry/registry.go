// want package:"has handlers"

// Package registry passes implementations of one package to the handlers of another.
package registry

import (
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.org/clients/webhookdryrun/registry/hook"
	"example.org/clients/webhookdryrun/registry/quota"
	"example.org/clients/webhookdryrun/registry/steps"
)

// Handlers returns the handlers.
func Handlers(c client.Client, cs kubernetes.Interface) (*hook.Handler, *hook.Validator) {
	return &hook.Handler{Steps: steps.New(cs)}, &hook.Validator{Quota: quota.New(c)} // want `^ValidateCreate \(in hook\) calls Reserve of quota.Manager on dry-run requests too, which updates a ConfigMap: pass`
}

// Other returns a validator with an implementation that asks.
func Other() *hook.Validator { return &hook.Validator{Quota: &quota.Careful{}} }
