//go:build ignore

// With this build tag, the go command ignores this file unless it is named. pre-commit
// runs go install ./... in the module, and must build only kubevet.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/runtests"
)

func main() { os.Exit(runtests.Main(os.Args[1:], os.Stderr)) }
