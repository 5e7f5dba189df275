package report

import "github.com/kubevet/kubevet/rules"

// paint colours text for a terminal; false leaves it plain.
type paint bool

// The SGR parameters in use. They are from the 16 colours that a terminal's
// theme adapts to its background.
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

// in returns s in a style. s must be sanitised already.
func (p paint) in(style, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// severityStyle is the style of a severity's name.
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
