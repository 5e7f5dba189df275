package kubectl

import (
	"fmt"
	"strings"
)

// Message returns the message of a finding about the verdict. It quotes the text
// that kubectl prints. arg is the argument at v.Index.
func (v Verdict) Message(program Program, arg Arg) string {
	switch {
	case v.Stray != "":
		replacement := v.Replacement
		if replacement == "" {
			return fmt.Sprintf("%s takes %q for an argument of its own, and %s for a dry run by the client", program, v.Stray, arg.Text)
		}
		return fmt.Sprintf("%s takes %q for an argument of its own, and %s for --dry-run=client: write %s", program, v.Stray, arg.Text, replacement)
	case v.Does == Boolean:
		return fmt.Sprintf("%s deprecates a boolean --dry-run: use --dry-run=client for true and --dry-run=none for false", program)
	case v.Does == Refused:
		since, use := "", ""
		if v.Since != 0 {
			since = fmt.Sprintf(" since %v", v.Since)
		}
		if v.Replacement != "" && !strings.Contains(v.Text, v.Replacement) {
			use = ": use " + v.Replacement
		}
		return fmt.Sprintf("%s refuses this%s: %s%s", program, since, strings.TrimSuffix(v.Text, "."), use)
	case v.Does == None:
		return fmt.Sprintf("%s writes, and warns: %s", program, v.Text)
	}
	return fmt.Sprintf("%s warns: %s", program, v.Text)
}
