//go:build ignore

// The go command compiles this file only if its name is an argument. Otherwise
// pre-commit, which runs go install ./..., would install this program, too.
package main

import (
	"os"

	"github.com/kubevet/kubevet/rules/internal/index"
)

func main() { os.Exit(index.Main(os.Args[1:], os.Stderr)) }
