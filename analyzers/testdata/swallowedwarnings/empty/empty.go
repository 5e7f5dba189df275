// Package empty has handlers of warnings.
package empty

import "k8s.io/client-go/rest"

// Quiet does nothing.
type Quiet struct{} // want Quiet:`discards warnings`

// HandleWarningHeader implements rest.WarningHandler.
func (*Quiet) HandleWarningHeader(code int, agent, text string) { _ = code }

// Counter counts.
type Counter struct{ Seen int }

// HandleWarningHeader implements rest.WarningHandler.
func (c *Counter) HandleWarningHeader(code int, agent, text string) { c.Seen++ }

// Discard throws warnings away.
var Discard = rest.NoWarnings{} // want Discard:`discards warnings`

// Chosen is set by others.
var Chosen rest.WarningHandler = rest.NoWarnings{}

func init() { Chosen = nil }
