//go:build ignore

// With this build tag, the go command ignores this file unless it is named. pre-commit
// runs go install ./... in the module, and must build only kubevet.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/playground/publish"
)

func main() { os.Exit(publish.Main(os.Args[1:], os.Stderr)) }
