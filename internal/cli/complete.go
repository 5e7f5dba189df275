package cli

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/spf13/cobra"
)

// complete sets how a shell completes the values of a flag.
func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic("cli: completion for a flag that does not exist: " + err.Error())
	}
}

// completeWords completes a flag with one of a few words.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// listOf completes the last part of a comma-separated list. A candidate may
// have a description behind a tab.
func listOf(candidates func() []string, directive cobra.ShellCompDirective) cobra.CompletionFunc {
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

// completeTarget completes a minor or a range of them.
func completeTarget(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, from := "", lifecycle.Oldest
	if first, _, ok := strings.Cut(typed, ".."); ok {
		before = first + ".."
		if m, err := lifecycle.ParseMinor(first); err == nil {
			from = m + 1
		}
	}
	var words []string
	// The newest first: it is what most people want.
	for m := lifecycle.Newest; m >= from; m-- {
		words = append(words, before+m.String())
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// gateNames lists the feature gates as a user begins to set them.
func gateNames() []string {
	var names []string
	for name := range lifecycle.Gates() {
		names = append(names, name+"=")
	}
	return names
}
