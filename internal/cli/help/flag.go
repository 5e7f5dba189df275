package help

import (
	"strings"

	"github.com/spf13/pflag"
)

type flag struct {
	// spelling has the names of the flag, such as "-o, --output".
	spelling string
	// value is the name of the flag's value, or "" for a switch. If the flag can be used
	// without a value, it also has the default: "mode[=strict]".
	value string
	// usage is the description of the flag, followed by its default value.
	usage string
}

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
