// Package client has what controller-runtime 0.10 to 0.18 have and later
// releases do not.
package client

// Options are those of a client.
type Options struct{ WarningHandler WarningHandlerOptions }

// WarningHandlerOptions say what becomes of warnings.
type WarningHandlerOptions struct {
	SuppressWarnings   bool
	AllowDuplicateLogs bool
}
