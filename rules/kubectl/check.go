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

// The strategies. Client, Server and None are the texts of the --dry-run values
// that select them since 1.18.
const (
	// Refused means that kubectl does not run the command.
	Refused Strategy = ""
	// None means that the command changes objects, so it is no dry run.
	None Strategy = "none"
	// Client means that kubectl prints the object and sends no request that
	// changes it.
	Client Strategy = "client"
	// Server means that the server handles the request and stores nothing.
	Server Strategy = "server"
	// Boolean means Client or None, because the boolean value of --dry-run is
	// unknown.
	Boolean Strategy = "client or none"
)

// Verdict describes a problem with one argument, or with two consecutive
// arguments.
type Verdict struct {
	// Index is the index in args of the first argument with the problem. Count is
	// the number of arguments with the problem, 1 or 2.
	Index, Count int
	// Does is the strategy that kubectl uses for the command.
	Does Strategy
	// Text is the message that kubectl prints, without a prefix. It is an error
	// if Does is Refused, and otherwise a warning. It is empty if kubectl
	// misreads the argument silently.
	Text string
	// Replacement is the text to write instead of the argument. It is empty if
	// the right text depends on the author's intention.
	Replacement string
	// Safe is set if the replacement does not change what the command does.
	Safe bool
	// Since is the first minor release that refuses the command. It is zero if
	// all known minors refuse it.
	Since lifecycle.Minor
	// Stray is the argument after the flag, if the author meant it as the flag's
	// value. kubectl does not read it as the value.
	Stray string
}

// strategiesSince is the first minor release whose --dry-run takes the name of a
// strategy. Before, it was a boolean.
const strategiesSince lifecycle.Minor = 18

// Check returns the problems that a minor release of the program has with
// --dry-run and --server-dry-run in args. args are the arguments after the
// program's name. It returns nil for unknown commands.
func Check(program Program, args []Arg, minor lifecycle.Minor) []Verdict {
	if program == 0 || !slices.ContainsFunc(args, dryRunFlag) {
		return nil
	}
	c, ok := findCommand(program, args)
	if !ok {
		return nil
	}
	j := invocation{args: args[:c.end], command: c, minor: minor}
	var verdicts []Verdict
	for i, a := range j.args {
		name, value, hasValue := a.flag()
		if c.values[i] {
			continue
		}
		switch name {
		case "--server-dry-run":
			verdicts = append(verdicts, j.serverDryRun(i, value, hasValue)...)
		case "--dry-run":
			if !j.overridden(i) {
				verdicts = append(verdicts, j.dryRun(i, value, hasValue)...)
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

// invocation is one command line, read by one release of the program.
type invocation struct {
	command
	args  []Arg
	minor lifecycle.Minor
}

// overridden reports whether a later --dry-run overrides the --dry-run at index
// i.
func (j *invocation) overridden(i int) bool {
	for at := i + 1; at < len(j.args); at++ {
		if name, _, _ := j.args[at].flag(); name == "--dry-run" && !j.args[at].Maybe && !j.values[at] {
			return true
		}
	}
	return false
}

// refused returns one Verdict: kubectl refuses the argument at index i and prints
// text.
func refused(i int, text, replacement string, since lifecycle.Minor) []Verdict {
	return []Verdict{{Index: i, Count: 1, Text: text, Replacement: replacement, Since: since}}
}

// unknownFlag returns pflag's error message for an unknown flag.
func unknownFlag(flag string) string { return "unknown flag: " + flag }

// serverDryRun checks --server-dry-run at index i. Only apply of 1.16 to 1.18 has
// this flag.
func (j *invocation) serverDryRun(i int, value string, hasValue bool) []Verdict {
	on := true
	if hasValue {
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
		return refused(i, unknownFlag("--server-dry-run"), replacement, 0)
	case j.minor > 18:
		return refused(i, unknownFlag("--server-dry-run"), replacement, 19)
	case j.minor < 18 || !on:
		return nil
	}
	return []Verdict{{
		Index: i, Count: 1, Does: Server, Replacement: replacement, Safe: replacement != "",
		Text: "Flag --server-dry-run has been deprecated, --server-dry-run is deprecated and can be replaced with --dry-run=server.",
	}}
}

// dryRun checks --dry-run at index i: its value, its command, and the other
// flags.
func (j *invocation) dryRun(i int, value string, hasValue bool) []Verdict {
	if j.since == 0 || j.minor < j.since {
		return refused(i, unknownFlag("--dry-run"), "", 0)
	}
	if j.args[i].Open {
		if j.args[i].Bool && value == "" && j.minor >= strategiesSince {
			return []Verdict{{Index: i, Count: 1, Does: Boolean}}
		}
		return nil
	}
	if j.minor < strategiesSince {
		return j.booleanDryRun(i, value, hasValue)
	}
	v := strategy(value, hasValue)
	v.Index, v.Count = i, 1
	if text, replacement, since := j.conflict(v.Does); j.minor >= since && text != "" {
		return refused(i, text, replacement, since)
	}
	if !hasValue {
		if next := i + 1; next < len(j.args) && j.args[next].Maybe == j.args[i].Maybe && isStrategyName(j.args[next]) {
			v.Stray, v.Count = j.args[next].Text, 2
			v.Replacement, v.Safe = "--dry-run="+v.Stray, false
		}
	}
	if v.Text == "" {
		return nil
	}
	return []Verdict{v}
}

// booleanDryRun checks --dry-run for 1.16 and 1.17, where the flag is a boolean.
// The error texts are pflag's.
func (j *invocation) booleanDryRun(i int, value string, hasValue bool) []Verdict {
	if hasValue {
		if b, err := strconv.ParseBool(value); err != nil {
			text := fmt.Sprintf(`invalid argument %q for "--dry-run" flag: %v`, value, err)
			return refused(i, text, map[string]string{"client": "--dry-run", "none": "--dry-run=false"}[value], 0)
		} else if !b {
			return nil
		}
	}
	switch {
	case j.name == "apply" && j.isTrue("--server-side"):
		return refused(i, "--dry-run doesn't work with --server-side (did you mean --server-dry-run instead?)", "--server-dry-run", 0)
	case j.name == "apply" && j.isTrue("--server-dry-run"):
		return refused(i, "--dry-run and --server-dry-run can't be used together", "", 0)
	}
	if next := i + 1; !hasValue && next < len(j.args) && j.args[next].Maybe == j.args[i].Maybe && isStrategyName(j.args[next]) {
		return []Verdict{{Index: i, Count: 2, Does: Client, Stray: j.args[next].Text}}
	}
	return nil
}

// strategy returns the strategy and the message for a value of --dry-run. Source:
// GetDryRunStrategy, the same from 1.18 to 1.37.
func strategy(value string, hasValue bool) Verdict {
	if !hasValue {
		value = "unchanged" // the value that AddDryRunFlag sets as NoOptDefVal
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
	if meant := (Arg{Text: strings.ToLower(strings.Trim(value, `"'`))}); isStrategyName(meant) {
		v.Replacement = "--dry-run=" + meant.Text
	}
	return v
}

func isStrategyName(a Arg) bool { return a.equals("client") || a.equals("server") || a.equals("none") }

// conflict returns kubectl's error if another flag excludes strategy s, and the
// first minor release with that error. text is "" if no flag excludes s.
// replacement is the text that kubectl recommends, or "".
func (j *invocation) conflict(s Strategy) (text, replacement string, since lifecycle.Minor) {
	switch {
	case j.name == "apply" && s == Client && j.isTrue("--server-side"):
		return "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)", "--dry-run=server", 18
	case j.name == "apply" && s == Server && j.isTrue("--force"):
		return "--dry-run=server cannot be used with --force", "", 19
	case j.name == "replace" && (s == Client || s == Server) && j.isTrue("--force"):
		return "--dry-run can not be used when --force is set", "", 25
	case (j.name == "patch" || strings.HasPrefix(j.name, "set ")) && s == Server && j.isTrue("--local"):
		return "cannot specify --local and --dry-run=server - did you mean --dry-run=client?", "--dry-run=client", 18
	}
	return "", "", 0
}

// isTrue reports whether a boolean flag is certainly true.
func (j *invocation) isTrue(flag string) bool {
	for i, a := range j.args {
		if !j.values[i] && !a.Maybe && (a.equals(flag) || a.equals(flag+"=true")) {
			return true
		}
	}
	return false
}
