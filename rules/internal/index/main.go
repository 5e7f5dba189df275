//go:build ignore

// The program of the package is built only where it is named, so that go install
// ./... of the module, as pre-commit runs it, builds kubevet alone.
package main

import (
	"os"

	"github.com/kubevet/kubevet/rules/internal/index"
)

func main() { os.Exit(index.Main(os.Args[1:], os.Stderr)) }
