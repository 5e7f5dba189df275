//go:build ignore

// The go command ignores this file unless it is named. pre-commit runs go install
// ./... of the module, and has to build kubevet alone.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/playground/publish"
)

func main() { os.Exit(publish.Main(os.Args[1:], os.Stderr)) }
