package app

import (
	"strings"

	"github.com/spf13/cobra"
)

// Complete sets the shell completion for the value of a flag.
func Complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic("cli: completion for a flag that does not exist: " + err.Error())
	}
}

// CompleteWords makes the shell complete the value of a flag with one of the words.
func CompleteWords(cmd *cobra.Command, flag string, words []string) {
	Complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// ListOf returns the completion of the last item in a comma-separated list. A candidate
// may have a tab and a description after the word.
func ListOf(candidates func() []string, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		done := strings.Split(before, ",")
		var words []string
		for _, c := range candidates() {
			word, _, _ := strings.Cut(c, "\t")
			taken := false
			for _, d := range done {
				taken = taken || d == word
			}
			if !taken && strings.HasPrefix(word, typed[len(before):]) {
				words = append(words, before+c)
			}
		}
		return words, directive
	}
}

// CompleteFile makes the shell complete the value of a flag with a file name.
func CompleteFile(cmd *cobra.Command, flag string) {
	Complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	})
}

// CompleteOutput returns the completion for --output. Its value is FORMAT or FORMAT=FILE.
// After "=", the shell completes a file name.
func CompleteOutput(formats []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(typed, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return formats, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
