package cli

import "github.com/spf13/cobra"

// completionHelp has the descriptions of the subcommands of `kubevet completion`.
var completionHelp = map[string]string{
	"bash": `Print the completion script for bash. It needs the package bash-completion.

For this shell:
  source <(kubevet completion bash)
For new shells on Linux:
  kubevet completion bash > /etc/bash_completion.d/kubevet
For new shells on macOS:
  kubevet completion bash > "$(brew --prefix)/etc/bash_completion.d/kubevet"`,
	"fish": `Print the completion script for fish.

For this shell:
  kubevet completion fish | source
For new shells:
  kubevet completion fish > ~/.config/fish/completions/kubevet.fish`,
	"powershell": `Print the completion script for PowerShell.

For this shell:
  kubevet completion powershell | Out-String | Invoke-Expression
For new shells, add the output of this command to your profile:
  kubevet completion powershell`,
	"zsh": `Print the completion script for zsh. It needs "autoload -U compinit; compinit" in ~/.zshrc.

For this shell:
  source <(kubevet completion zsh)
For new shells on Linux:
  kubevet completion zsh > "${fpath[1]}/_kubevet"
For new shells on macOS:
  kubevet completion zsh > "$(brew --prefix)/share/zsh/site-functions/_kubevet"`,
}

// describeCompletion replaces the texts of cobra's completion command.
func describeCompletion(cmd *cobra.Command) {
	cmd.Short = "Print a script that completes commands and flags in a shell"
	cmd.Long = `Print a script for a shell. With it, the Tab key completes commands, flags and values.
The help of each subcommand says how to install the script.`
	cmd.DisableFlagsInUseLine = true
	for _, shell := range cmd.Commands() {
		shell.Short = "Print the completion script for " + shell.Name()
		shell.Long = completionHelp[shell.Name()]
		if flag := shell.Flags().Lookup("no-descriptions"); flag != nil {
			flag.Usage = "complete words without their descriptions"
		}
	}
}
