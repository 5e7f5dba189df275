// Package routes joins the handlers.
package routes

import (
	"example.org/clients/webhookdryrun/router/config"
	"example.org/clients/webhookdryrun/router/hooks"
	"example.org/clients/webhookdryrun/router/rules"
)

// Handlers returns all handlers.
func Handlers(c *config.Config) hooks.Handler {
	return &hooks.List{Handlers: []hooks.Handler{&rules.Class{Config: c}, &rules.Quota{Config: c}, &rules.Storage{Config: c}, &hooks.List{}}}
}
