// Package empty has handlers for warnings.
package empty

import "k8s.io/client-go/rest"

// Quiet does nothing.
type Quiet struct{} // want Quiet:`discards warnings`

// HandleWarningHeader implements rest.WarningHandler.
func (*Quiet) HandleWarningHeader(code int, agent, text string) { _ = code }

// Counter counts warnings.
type Counter struct{ Seen int }

// HandleWarningHeader implements rest.WarningHandler.
func (c *Counter) HandleWarningHeader(code int, agent, text string) { c.Seen++ }

// Discard discards warnings.
var Discard = rest.NoWarnings{} // want Discard:`discards warnings`

// Chosen can be set by other packages.
var Chosen rest.WarningHandler = rest.NoWarnings{}

func init() { Chosen = nil }
