// Command program hides the warnings that a library would print.
package main

import "k8s.io/client-go/rest"

type quiet struct{} // want quiet:`discards warnings`

func (quiet) HandleWarningHeader(code int, agent, text string) {}

func init() {
	// The warnings are shown by the installer, which has checked the same objects before.
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}

func main() {
	// The warnings are shown by the installer, which has checked the same objects before.
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	start()
}

func start() {
	// The warnings are shown by the installer, which has checked the same objects before.
	rest.SetDefaultWarningHandler(quiet{}) // want `every client of the program throws away the warnings of the API server: log them, with rest.WarningLogger{}`
}
