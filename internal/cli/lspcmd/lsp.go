// Package lspcmd implements the verb lsp.
package lspcmd

import (
	"os"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/lsp"
	"github.com/spf13/cobra"
)

const help = `Serve the Language Server Protocol on standard input and output, for an editor.

The server checks manifests, charts, kustomizations and scripts as 'kubevet lint' does,
but uses the text in the editor instead of the file. It offers fixes and suppressions. It
shows rule pages, the history of APIs, and what another release would answer. Go packages
are checked when a file is saved.

Settings come from .kubevet.yaml in each folder of the workspace, as for 'kubevet lint'.
docs/editors.md describes the settings of the server and of editors.

Exit status:
  0  the editor shut the server down
  1  the connection ended before the editor shut the server down`

// Command returns the command `kubevet lsp`.
func Command(a *app.App) *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:               "lsp",
		Short:             "Serve an editor: findings while you type, fixes, API history",
		Long:              help,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := lsp.Options{App: a, Version: app.ProgramVersion().Version, PagesURL: reporting.PagesURL}
			if program, err := os.Executable(); err == nil && a.Isolate {
				o.Program = []string{program}
			}
			if !lsp.Serve(cmd.Context(), a.Stdin, a.Stdout, o) {
				a.Status = app.StatusFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&stdio, "stdio", true, "use standard input and output; always on, because some editors pass this flag")
	return cmd
}
