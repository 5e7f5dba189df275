// Command othername binds its flag to a variable whose readers are not known.
package main

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrundesigns/othername/client"
	"example.org/clients/dryrundesigns/othername/res"
)

var (
	set  client.Set
	root = &cobra.Command{Use: "x"}
)

func init() {
	root.PersistentFlags().BoolVar(&client.Simulate, "dry-run", false, "print only")
	root.AddCommand(&cobra.Command{Use: "deploy", RunE: func(cmd *cobra.Command, args []string) error { return res.Channel(&set) }})
	root.AddCommand(&cobra.Command{Use: "set", RunE: func(cmd *cobra.Command, args []string) error {
		return res.Secrets(&set)
	}})
}

func main() { _ = root.Execute() }
