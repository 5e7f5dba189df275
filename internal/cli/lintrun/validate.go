package lintrun

import (
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/nearest"
)

// ParseValidate reads kubectl's --validate, with its other spellings of two of
// the words.
func ParseValidate(word string) (apiserver.FieldValidation, error) {
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

// chooseValidation settles what becomes of unknown fields: by the flag, by the
// configuration, or else as the output wants it. Findings tell everything, so
// they come from a server that only warns; kubectl asks for strictness.
func chooseValidation(s *settings.Settings, f *Flags, configured string, likeKubectl bool) error {
	word := configured
	if f.Set("validate") {
		word = f.Validate
	}
	if word == "" {
		if s.Validation = apiserver.Warn; likeKubectl {
			s.Validation = apiserver.Strict
		}
		return nil
	}
	var err error
	s.Validation, err = ParseValidate(word)
	return err
}
