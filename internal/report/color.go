package report

import "github.com/kubevet/kubevet/rules"

// paint colours text for a terminal if it is true.
type paint bool

// These are SGR parameters (numbers in escape sequences). They use only the 16 basic
// colours, which a terminal's theme adapts to its background.
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

// style returns s in a style, such as bold. The caller must have escaped s with package
// quote.
func (p paint) style(style, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

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
