package report

import "github.com/kubevet/kubevet/rules"

// paint colours text for a terminal if it is true. If it is false, text stays plain.
type paint bool

// These are the SGR parameters of the styles. They use only the 16 basic colours, which
// the theme of a terminal adapts to its background.
const (
	bold      = "1"
	dim       = "2"
	cyan      = "36"
	blue      = "34"
	boldRed   = "1;31"
	boldAmber = "1;33"
	boldBlue  = "1;34"
	boldPink  = "1;35"
)

// in returns s in a style. The caller must have escaped s with package quote.
func (p paint) in(style, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// severityStyle returns the style for the name of a severity.
func severityStyle(s rules.Severity) string {
	switch s {
	case rules.Error:
		return boldRed
	case rules.Warning:
		return boldAmber
	case rules.Info:
		return boldBlue
	}
	return boldPink
}
