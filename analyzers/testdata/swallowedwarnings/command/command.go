// Package command has the commands of a program.
package command

import (
	"io"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
)

// newCreate has a comment about one message, but the call silences all commands.
func newCreate() *cobra.Command {
	// Silence warnings to avoid messages like 'unknown field "spec.headGroupSpec.template"'
	// See the issue for more details.
	rest.SetDefaultWarningHandler(rest.NoWarnings{}) // want `^every client of the program throws away the warnings of the API server: print them, with rest.NewWarningWriter\(os.Stderr, rest.WarningWriterOptions{Deduplicate: true}\)$`

	return &cobra.Command{
		Use: "create",
		RunE: func(cmd *cobra.Command, args []string) error {
			// The warnings are shown by the installer, which has checked the same objects before.
			rest.SetDefaultWarningHandler(rest.NoWarnings{})
			return nil
		},
	}
}

func newDelete(quiet bool) *cobra.Command {
	if quiet {
		rest.SetDefaultWarningHandler(rest.NoWarnings{})
	}
	return &cobra.Command{RunE: func(cmd *cobra.Command, args []string) error {
		rest.SetDefaultWarningHandler(rest.NoWarnings{}) // want `every client of the program`
		return nil
	}}
}

func newList() *cobra.Command {
	rest.SetDefaultWarningHandler(rest.NoWarnings{}) //kubevet:ignore swallowedwarnings -- the commands print them
	return &cobra.Command{}
}

type options struct{}

func (options) Run() {
	// The warnings are shown by the installer, which has checked the same objects before.
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}

func init() {
	// The warnings are shown by the installer, which has checked the same objects before.
	rest.SetDefaultWarningHandler(&rest.NoWarnings{}) // want `every client of the program`
}

func config(cfg *rest.Config) {
	cfg.WarningHandler = rest.NoWarnings{}                                                                   // want `^this client throws away the warnings of the API server: print them, with rest.NewWarningWriter`
	cfg.WarningHandler = rest.NewWarningWriter(io.Discard, rest.WarningWriterOptions{})                      // want `this client throws away`
	rest.SetDefaultWarningHandler(rest.NewWarningWriter(io.Discard, rest.WarningWriterOptions{Color: true})) // want `every client`
}

func comments(cfg *rest.Config) {
	// Deprecated versions are known.
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`

	/* ignore warnings */
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`

	cfg.QPS = 5                            // ignores bursts
	cfg.WarningHandler = rest.NoWarnings{} // want `this client throws away`
}
