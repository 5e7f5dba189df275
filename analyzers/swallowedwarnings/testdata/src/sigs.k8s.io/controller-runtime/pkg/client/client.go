// Package client has an option that exists in controller-runtime 0.10 to 0.18, and
// not in later releases.
package client

// Options are the options of a client.
type Options struct{ WarningHandler WarningHandlerOptions }

// WarningHandlerOptions say how a client handles warnings.
type WarningHandlerOptions struct {
	SuppressWarnings   bool
	AllowDuplicateLogs bool
}
