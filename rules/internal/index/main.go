//go:build ignore

// The go command ignores this file unless it is named. pre-commit runs go install
// ./... of the module, and has to build kubevet alone.
package main

import (
	"os"

	"github.com/kubevet/kubevet/rules/internal/index"
)

func main() { os.Exit(index.Main(os.Args[1:], os.Stderr)) }
