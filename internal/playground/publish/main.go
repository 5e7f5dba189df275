//go:build ignore

// The go command ignores a file with this build tag, unless the file is named. pre-commit
// runs go install ./... in the module, and must build only kubevet.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/playground/publish"
)

func main() { os.Exit(publish.Main(os.Args[1:], os.Stderr)) }
