// Package rest has the names of the real package that the tests need.
package rest

type NoWarnings struct{}

func (NoWarnings) HandleWarningHeader(code int, agent, text string) {}

func SetDefaultWarningHandler(h interface {
	HandleWarningHeader(code int, agent, text string)
}) {
}
