package cli

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/columns"
	"github.com/kubevet/kubevet/rules"
	"github.com/spf13/cobra"
)

func rulesCommand(a *app.App) *cobra.Command {
	var output, color string
	cmd := &cobra.Command{
		Use:   "rules [flags] [ID]...",
		Short: "List the rules, or explain one",
		Long: `List all rules, or print the page of each named rule. A page says what the rule reports
and why, when it is silent, and how to fix its findings.`,
		Example: `  kubevet rules
  kubevet rules prestopsleep
  kubevet rules -o json`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range rules.Catalogue() {
				if !slices.Contains(args, r.ID) {
					ids = append(ids, r.ID+"\t"+r.Title)
				}
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.OneFormat(output, ruleFormats()...); err != nil {
				return err
			}
			colored, err := a.Colors(color, a.Stdout)
			if err != nil {
				return err
			}
			return printRules(a, args, output, colored)
		},
	}
	cmd.Flags().SortFlags = false
	app.FormatFlag(cmd, &output, "text", ruleFormats()...)
	app.ColorFlag(cmd, &color)
	return cmd
}

func ruleFormats() []string { return []string{"text", "json", "markdown"} }

// printRules prints the pages of the rules with these IDs. Without IDs, it lists all
// rules.
func printRules(a *app.App, ids []string, format string, color bool) error {
	list := rules.Catalogue()
	if len(ids) > 0 {
		list = list[:0]
		for _, id := range ids {
			r, ok := rules.Lookup(id)
			if !ok {
				return app.Usage(settings.UnknownRule("", id))
			}
			if r.ID != id {
				a.Complain("note: rule %s is now called %s", id, r.ID)
			}
			list = append(list, r)
		}
	}
	switch {
	case format == "json":
		return a.WriteJSON(struct {
			Rules []rules.Rule `json:"rules"`
		}{list})
	case len(ids) > 0:
		pages := make([]string, len(list))
		for i, r := range list {
			if pages[i] = r.Text(); format == "markdown" {
				pages[i] = "# " + r.ID + ": " + r.Title + "\n\n" + strings.TrimLeft(r.Page, "\n")
			}
		}
		return a.Write(strings.Join(pages, "\n"))
	}
	header := []string{"ID", "SEVERITY", "STATUS", "SURFACES", "DEFAULT", "TITLE"}
	rows := make([][]string, len(list))
	for i, r := range list {
		surfaces := make([]string, len(r.Surfaces))
		for j, s := range r.Surfaces {
			surfaces[j] = string(s)
		}
		on := "off"
		if r.Default {
			on = "on"
		}
		rows[i] = []string{r.ID, r.Severity.String(), string(r.Status), strings.Join(surfaces, ","), on, r.Title}
	}
	if format == "markdown" {
		return a.Write(columns.Markdown(header, rows, columns.Escape))
	}
	text, err := columns.Text(header, rows, color)
	if err != nil {
		return err
	}
	return a.Write(text)
}
