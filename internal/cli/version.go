package cli

import (
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/spf13/cobra"
)

func versionCommand(a *app.App) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of kubevet and the Kubernetes versions it knows",
		Example: `  kubevet version
  kubevet version -o json`,
		Args: app.NoArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch err := app.OneFormat(output, "text", "json"); {
			case err != nil:
				return err
			case output == "json":
				return a.WriteJSON(app.ProgramVersion())
			}
			return a.Write(app.ProgramVersion().Text())
		},
	}
	cmd.Flags().SortFlags = false
	app.FormatFlag(cmd, &output, "text", "text", "json")
	return cmd
}
