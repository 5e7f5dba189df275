package help

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/spf13/cobra"
)

var statuses = []struct {
	status  int
	meaning string
}{
	{app.StatusClean, "no finding at or above `--fail-on`"},
	{app.StatusFindings, "findings"},
	{app.StatusUsage, "mistake in flags or configuration"},
	{app.StatusIncomplete, "something could not be read, or the run was interrupted"},
}

// Command returns a hidden command with which packagers and maintainers create manual
// pages, completion scripts and the reference.
func Command(a *app.App) *cobra.Command {
	var man, completions, reference string
	cmd := &cobra.Command{
		Use:    "manual [flags]",
		Short:  "Write manual pages, shell completions and the reference in Markdown",
		Args:   app.NoArguments,
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := cmd.Root()
			scripts, err := completionScripts(root)
			if err != nil {
				return err
			}
			for _, out := range []struct {
				dir   string
				files map[string]string
			}{{man, manPages(root)}, {completions, scripts}, {reference, Reference(root)}} {
				if out.dir == "" {
					continue
				}
				if err := write(a.Path(out.dir), out.files); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "write manual pages to this `directory`")
	cmd.Flags().StringVar(&completions, "completions", "", "write completion scripts to this `directory`")
	cmd.Flags().StringVar(&reference, "reference", "", "write the reference to this `directory`")
	return cmd
}

// write writes files to a directory, which it creates if necessary.
func write(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(files[file]), 0o644); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	return nil
}

// manPages returns the manual pages of all commands, by file name.
func manPages(root *cobra.Command) map[string]string {
	pages := map[string]string{}
	for _, cmd := range commands(root) {
		pages[manName(cmd)+".1"] = manPage(cmd)
	}
	return pages
}

// Reference returns the reference in Markdown, by file name: a page for each command, and
// a list of the pages.
func Reference(root *cobra.Command) map[string]string {
	pages := map[string]string{"README.md": index(root)}
	for _, cmd := range listedCommands(root) {
		pages[cmd.Name()+".md"] = markdown(cmd)
	}
	return pages
}

// completionScripts returns the completion scripts for all shells, by file name.
func completionScripts(root *cobra.Command) (map[string]string, error) {
	var bash, zsh, fish, powershell bytes.Buffer
	for _, err := range []error{
		root.GenBashCompletionV2(&bash, true),
		root.GenZshCompletion(&zsh),
		root.GenFishCompletion(&fish, true),
		root.GenPowerShellCompletionWithDesc(&powershell),
	} {
		if err != nil {
			return nil, fmt.Errorf("completion scripts: %w", err)
		}
	}
	return map[string]string{
		"kubevet.bash": bash.String(),
		"kubevet.zsh":  zsh.String(),
		"kubevet.fish": fish.String(),
		"kubevet.ps1":  powershell.String(),
	}, nil
}
