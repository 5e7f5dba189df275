// Package rest has what is needed of the real one.
package rest

type NoWarnings struct{}

func (NoWarnings) HandleWarningHeader(code int, agent, text string) {}

func SetDefaultWarningHandler(h interface {
	HandleWarningHeader(code int, agent, text string)
}) {
}
