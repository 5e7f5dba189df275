package cli

import (
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/nearest"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// parseValidate reads kubectl's --validate, with its other spellings of two of
// the words.
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
	return 0, usagef("unknown --validate %q: want %s%s", word, config.OneOf(words), nearest.Question(word, words))
}

// chooseValidation settles what becomes of unknown fields: by the flag, by the
// configuration, or else as the output wants it. Findings tell everything, so
// they come from a server that only warns; kubectl asks for strictness.
func (s *settings) chooseValidation(f *lintFlags, configured string, likeKubectl bool) error {
	word := configured
	if f.set("validate") {
		word = f.validate
	}
	if word == "" {
		if s.validation = apiserver.Warn; likeKubectl {
			s.validation = apiserver.Strict
		}
		return nil
	}
	var err error
	s.validation, err = parseValidate(word)
	return err
}

// likeKubectl reports whether standard output is to be kubectl's.
func likeKubectl(outputs []string) bool {
	for _, o := range outputs {
		if format, file, named := strings.Cut(o, "="); format == "kubectl" && (!named || file == "-") {
			return true
		}
	}
	return false
}
