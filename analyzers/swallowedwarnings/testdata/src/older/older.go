package older

import "sigs.k8s.io/controller-runtime/pkg/client"

func options(quiet bool) []client.Options {
	return []client.Options{
		{WarningHandler: client.WarningHandlerOptions{SuppressWarnings: true}}, // want `this client throws away the warnings of the API server: leave the option out`
		{WarningHandler: client.WarningHandlerOptions{SuppressWarnings: quiet}},
		{WarningHandler: client.WarningHandlerOptions{SuppressWarnings: false}},
		{WarningHandler: client.WarningHandlerOptions{AllowDuplicateLogs: true}},
	}
}
