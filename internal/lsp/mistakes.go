package lsp

import (
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules"
)

// storeMistakes stores the mistakes in a configuration as findings in its file.
func (r *root) storeMistakes(path string, list []*config.Error) {
	var found []rules.Finding
	for _, m := range list {
		text := m.Text
		if m.Key != "" {
			text = m.Key + ": " + text
		}
		found = append(found, rules.Finding{
			Severity: rules.Error, Message: strings.TrimSpace(text), File: m.File,
			Line: m.Line, Column: m.Column, EndLine: m.Line, EndColumn: m.Column + 1,
		})
	}
	r.storePart(path, partConfig, found)
	r.publish([]string{path})
}
