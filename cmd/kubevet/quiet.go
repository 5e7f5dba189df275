package main

import (
	"io"
	"log"
	"os"
)

// quietLibraries drops what libraries write to standard error and to the standard logger,
// such as kustomize's warnings about deprecated fields. It returns the standard error of
// the process for kubevet's own messages.
func quietLibraries() *os.File {
	stderr := os.Stderr
	log.SetOutput(io.Discard)
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null
	}
	return stderr
}
