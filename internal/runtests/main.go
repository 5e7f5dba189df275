//go:build ignore

// The go command ignores a file with this build tag, unless the file is named. pre-commit
// runs go install ./... in the module, and must build only kubevet.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/runtests"
)

func main() { os.Exit(runtests.Main(os.Args[1:], os.Stderr)) }
