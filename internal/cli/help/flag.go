package help

import (
	"strings"

	"github.com/spf13/pflag"
)

// flag has the texts of a flag for the help.
type flag struct {
	// spelling has the names of the flag: "-o, --output".
	spelling string
	// value is the name of the flag's value. It is empty for a switch. Some flags can be
	// used without a value, and then have a default value. For them, value also has this
	// default: "mode[=strict]".
	value string
	// usage is the description of the flag. It ends with the default value, unless this
	// is empty.
	usage string
}

// flags returns the texts of all visible flags of a section.
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
