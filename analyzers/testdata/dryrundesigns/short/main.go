// Command short has a flag with a short name.
package main

import (
	"github.com/spf13/cobra"

	"example.org/clients/dryrundesigns/short/client"
	"example.org/clients/dryrundesigns/short/res"
)

var (
	set  client.Set
	root = &cobra.Command{Use: "x"}
)

func init() {
	root.PersistentFlags().BoolVar(&client.Dry, "dry", false, "print only")
	root.AddCommand(&cobra.Command{Use: "deploy", RunE: func(cmd *cobra.Command, args []string) error { return res.Channel(&set) }})
	root.AddCommand(&cobra.Command{Use: "set", RunE: func(cmd *cobra.Command, args []string) error {
		return res.Secrets(&set) // want "the call of Secrets ignores --dry, so a dry run creates a Secret"
	}})
}

func main() { _ = root.Execute() }
