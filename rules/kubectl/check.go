package kubectl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Strategy is the effect of --dry-run on a command.
type Strategy string

// The strategies. Most have the value of --dry-run that selects them since 1.18.
const (
	// Refused means that kubectl does not run the command.
	Refused Strategy = ""
	// None means that the command writes.
	None Strategy = "none"
	// Client is a dry run without a request to the server.
	Client Strategy = "client"
	// Server is a dry run by the server.
	Server Strategy = "server"
	// Boolean is Client or None, for an unknown boolean value.
	Boolean Strategy = "client or none"
)

// Verdict is a problem with one argument, or with two consecutive arguments.
type Verdict struct {
	// Index is the first argument that the verdict is about, and Count their
	// number.
	Index, Count int
	// Does is the strategy that kubectl uses.
	Does Strategy
	// Text is the message that kubectl prints, without a prefix: an error if
	// Does is Refused, otherwise a warning. It is empty if kubectl prints
	// nothing although it misreads the argument.
	Text string
	// Replacement is the text to write instead; empty if that depends on the
	// intention.
	Replacement string
	// Safe reports whether kubectl does the same with the replacement.
	Safe bool
	// Since is the first minor that refuses the command; zero if all known
	// minors do.
	Since lifecycle.Minor
	// Stray is a value in a separate argument, which the flag does not read.
	Stray string
}

// strategies is the first minor whose --dry-run is not a boolean.
const strategies lifecycle.Minor = 18

// Check returns the problems that a minor release of the program has with
// --dry-run and --server-dry-run in args. args are the arguments after the
// program's name. It returns nil for unknown commands.
func Check(program Program, args []Arg, minor lifecycle.Minor) []Verdict {
	if program == 0 || !slices.ContainsFunc(args, dryRunFlag) {
		return nil
	}
	c, ok := find(program, args)
	if !ok {
		return nil
	}
	j := invocation{args: args[:c.end], command: c, minor: minor}
	var verdicts []Verdict
	for i, a := range j.args {
		name, value, given := a.flag()
		if c.values[i] {
			continue
		}
		switch name {
		case "--server-dry-run":
			verdicts = append(verdicts, j.serverDryRun(i, value, given)...)
		case "--dry-run":
			if !j.overridden(i) {
				verdicts = append(verdicts, j.dryRun(i, value, given)...)
			}
		}
	}
	return verdicts
}

// dryRunFlag reports whether an argument is --dry-run or --server-dry-run.
func dryRunFlag(a Arg) bool {
	name, _, _ := a.flag()
	return name == "--dry-run" || name == "--server-dry-run"
}

// invocation is one command line, for one release of the program.
type invocation struct {
	command
	args  []Arg
	minor lifecycle.Minor
}

// overridden reports whether a later --dry-run overrides that at i.
func (j *invocation) overridden(i int) bool {
	for at := i + 1; at < len(j.args); at++ {
		if name, _, _ := j.args[at].flag(); name == "--dry-run" && !j.args[at].Maybe && !j.values[at] {
			return true
		}
	}
	return false
}

// refused returns the verdict that kubectl refuses the argument at i.
func refused(i int, text, replacement string, since lifecycle.Minor) []Verdict {
	return []Verdict{{Index: i, Count: 1, Text: text, Replacement: replacement, Since: since}}
}

// unknown returns the error of pflag for an unknown flag.
func unknown(flag string) string { return "unknown flag: " + flag }

// serverDryRun checks --server-dry-run, which apply has in 1.16 to 1.18.
func (j *invocation) serverDryRun(i int, value string, given bool) []Verdict {
	on := true
	if given {
		b, err := strconv.ParseBool(value)
		if err != nil && j.minor < 19 {
			return nil
		}
		on = b
	}
	replacement := ""
	if on && j.since != 0 && !slices.ContainsFunc(j.args, func(a Arg) bool { name, _, _ := a.flag(); return name == "--dry-run" }) {
		replacement = "--dry-run=server"
	}
	switch {
	case j.name != "apply":
		return refused(i, unknown("--server-dry-run"), replacement, 0)
	case j.minor > 18:
		return refused(i, unknown("--server-dry-run"), replacement, 19)
	case j.minor < 18 || !on:
		return nil
	}
	return []Verdict{{
		Index: i, Count: 1, Does: Server, Replacement: replacement, Safe: replacement != "",
		Text: "Flag --server-dry-run has been deprecated, --server-dry-run is deprecated and can be replaced with --dry-run=server.",
	}}
}

// dryRun checks --dry-run with its value, the command and the other flags.
func (j *invocation) dryRun(i int, value string, given bool) []Verdict {
	if j.since == 0 || j.minor < j.since {
		return refused(i, unknown("--dry-run"), "", 0)
	}
	if j.args[i].Open {
		if j.args[i].Bool && value == "" && j.minor >= strategies {
			return []Verdict{{Index: i, Count: 1, Does: Boolean}}
		}
		return nil
	}
	if j.minor < strategies {
		return j.whenBoolean(i, value, given)
	}
	v := strategy(value, given)
	v.Index, v.Count = i, 1
	if text, replacement, since := j.clash(v.Does); j.minor >= since && text != "" {
		return refused(i, text, replacement, since)
	}
	if !given {
		if next := i + 1; next < len(j.args) && j.args[next].Maybe == j.args[i].Maybe && named(j.args[next]) {
			v.Stray, v.Count = j.args[next].Text, 2
			v.Replacement, v.Safe = "--dry-run="+v.Stray, false
		}
	}
	if v.Text == "" {
		return nil
	}
	return []Verdict{v}
}

// whenBoolean checks --dry-run in 1.16 and 1.17, where it is a boolean. Its errors
// are those of pflag.
func (j *invocation) whenBoolean(i int, value string, given bool) []Verdict {
	if given {
		if b, err := strconv.ParseBool(value); err != nil {
			text := fmt.Sprintf(`invalid argument %q for "--dry-run" flag: %v`, value, err)
			return refused(i, text, map[string]string{"client": "--dry-run", "none": "--dry-run=false"}[value], 0)
		} else if !b {
			return nil
		}
	}
	switch {
	case j.name == "apply" && j.has("--server-side"):
		return refused(i, "--dry-run doesn't work with --server-side (did you mean --server-dry-run instead?)", "--server-dry-run", 0)
	case j.name == "apply" && j.has("--server-dry-run"):
		return refused(i, "--dry-run and --server-dry-run can't be used together", "", 0)
	}
	if next := i + 1; !given && next < len(j.args) && j.args[next].Maybe == j.args[i].Maybe && named(j.args[next]) {
		return []Verdict{{Index: i, Count: 2, Does: Client, Stray: j.args[next].Text}}
	}
	return nil
}

// strategy returns the verdict of GetDryRunStrategy on a value. It is the same
// from 1.18 to 1.37.
func strategy(value string, given bool) Verdict {
	if !given {
		value = "unchanged" // NoOptDefVal
	}
	if b, err := strconv.ParseBool(value); err == nil {
		does := None
		if b {
			does = Client
		}
		return Verdict{
			Does: does, Replacement: "--dry-run=" + string(does), Safe: true,
			Text: fmt.Sprintf("--dry-run=%s is deprecated (boolean value) and can be replaced with --dry-run=%s.", value, does),
		}
	}
	switch value {
	case "unchanged":
		return Verdict{
			Does: Client, Replacement: "--dry-run=client", Safe: true,
			Text: "--dry-run is deprecated and can be replaced with --dry-run=client.",
		}
	case "client", "server", "none":
		return Verdict{Does: Strategy(value)}
	}
	v := Verdict{Text: fmt.Sprintf(`Invalid dry-run value (%s). Must be "none", "server", or "client".`, value)}
	if meant := (Arg{Text: strings.ToLower(strings.Trim(value, `"'`))}); named(meant) {
		v.Replacement = "--dry-run=" + meant.Text
	}
	return v
}

// named reports whether an argument is the name of a strategy.
func named(a Arg) bool { return a.is("client") || a.is("server") || a.is("none") }

// clash returns the error for a strategy that another flag excludes, and the first
// minor with that error. replacement is the text that kubectl recommends, if any.
func (j *invocation) clash(s Strategy) (text, replacement string, since lifecycle.Minor) {
	switch {
	case j.name == "apply" && s == Client && j.has("--server-side"):
		return "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)", "--dry-run=server", 18
	case j.name == "apply" && s == Server && j.has("--force"):
		return "--dry-run=server cannot be used with --force", "", 19
	case j.name == "replace" && (s == Client || s == Server) && j.has("--force"):
		return "--dry-run can not be used when --force is set", "", 25
	case (j.name == "patch" || strings.HasPrefix(j.name, "set ")) && s == Server && j.has("--local"):
		return "cannot specify --local and --dry-run=server - did you mean --dry-run=client?", "--dry-run=client", 18
	}
	return "", "", 0
}

// has reports whether a boolean flag is set in every run.
func (j *invocation) has(flag string) bool {
	for i, a := range j.args {
		if !j.values[i] && !a.Maybe && (a.is(flag) || a.is(flag+"=true")) {
			return true
		}
	}
	return false
}
