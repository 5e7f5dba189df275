package lintrun

import (
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/nearest"
)

// parseValidate parses the value of --validate. Like kubectl, it also accepts true and
// false.
func parseValidate(word string) (apiserver.FieldValidation, error) {
	switch word {
	case "strict", "true":
		return apiserver.Strict, nil
	case "warn":
		return apiserver.Warn, nil
	case "ignore", "false":
		return apiserver.Ignore, nil
	}
	words := config.ValidateWords()
	return 0, app.Usagef("unknown --validate %q: want %s%s", word, config.OneOf(words), nearest.Question(word, words))
}

// chooseValidation returns the server's handling of unknown fields. The flag overrides
// the configuration. The default for the format kubectl is strict, as in kubectl. For
// other formats, the server only warns, so that all problems are found.
func chooseValidation(f *Flags, configured string) (apiserver.FieldValidation, error) {
	word := configured
	if f.Set("validate") {
		word = f.Validate
	}
	switch {
	case word != "":
		return parseValidate(word)
	case settings.LikeKubectl(f.Outputs):
		return apiserver.Strict, nil
	}
	return apiserver.Warn, nil
}
