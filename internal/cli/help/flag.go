package help

import (
	"strings"

	"github.com/spf13/pflag"
)

// flag is a flag for printing.
type flag struct {
	// spelling has its names: "-o, --output".
	spelling string
	// value is the name of its value, with the value that it has alone:
	// "mode[=strict]"; empty for a switch.
	value string
	// usage ends with the default, unless that is empty.
	usage string
}

// flags returns the flags of a section.
func flags(s section) []flag {
	var all []flag
	s.flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		out := flag{spelling: "--" + f.Name, value: value, usage: usage}
		if f.Shorthand != "" {
			out.spelling = "-" + f.Shorthand + ", " + out.spelling
		}
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			out.value += "[=" + f.NoOptDefVal + "]"
		}
		switch f.DefValue {
		case "", "false", "0", "[]", "true":
		default:
			if !strings.Contains(usage, "default") {
				out.usage += " (default " + f.DefValue + ")"
			}
		}
		all = append(all, out)
	})
	return all
}
