// Command counted is kubevet with counters. It writes them to the file that
// KUBEVET_WORK names.
package main

import (
	"os"

	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/kubevetwork"
)

func main() {
	if planted := os.Getenv("KUBEVET_PLANTED"); planted != "" {
		plant(planted, os.Args[1:])
	} else {
		cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}
	if err := kubevetwork.Write(os.Getenv("KUBEVET_WORK")); err != nil {
		panic(err)
	}
}
