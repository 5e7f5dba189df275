package kubectl

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// command is the command that an argument list calls.
type command struct {
	name string
	// since is the first minor in which the command has the flag --dry-run, or
	// zero if it never had the flag.
	since lifecycle.Minor
	// end is the index of the argument "--", or the number of arguments. kubectl
	// does not parse flags after "--".
	end int
	// values has the indices of the arguments that are values of the flags before
	// them.
	values map[int]bool
}

// oldest is the first minor release that this package knows. A flag that has this
// minor may be older.
const oldest lifecycle.Minor = 16

// simpleCommands maps commands without subcommands to the first minor in which
// they have --dry-run.
var simpleCommands = map[string]lifecycle.Minor{
	"annotate": oldest, "autoscale": oldest, "cordon": oldest, "drain": oldest,
	"expose": oldest, "label": oldest, "patch": oldest, "run": oldest, "uncordon": oldest,
	"delete": 18, "replace": 18, "taint": 18,
	"scale": 19,
}

// commandsWithoutDryRun lists commands that never had --dry-run. A command that
// is in none of these tables, such as a plug-in, is unknown.
var commandsWithoutDryRun = []string{"describe", "diff", "edit", "explain", "get", "top", "wait"}

// subcommands maps each command to its subcommands, and each subcommand to the
// first minor in which it has --dry-run. The minor is zero if the subcommand
// never had the flag. The subcommand "" is the command itself.
var subcommands = map[string]map[string]lifecycle.Minor{
	"apply":   {"": oldest, "set-last-applied": oldest, "edit-last-applied": 0, "view-last-applied": 0},
	"auth":    {"reconcile": oldest},
	"rollout": {"undo": oldest, "history": 0, "pause": 0, "restart": 0, "resume": 0, "status": 0},
	"set": {
		"env": oldest, "image": oldest, "resources": oldest, "selector": oldest,
		"serviceaccount": oldest, "sa": oldest, "subject": oldest,
	},
}

// ocSubcommands lists subcommands that only oc has and whose --dry-run works as
// in kubectl. Other commands of oc, such as new-app, idle and image mirror, have
// a boolean flag --dry-run.
var ocSubcommands = map[string][]string{
	"adm": {"cordon", "drain", "taint", "uncordon"},
	"set": {
		"build-hook", "build-secret", "data", "deployment-hook", "image-lookup", "probe", "route-backends",
		"triggers", "volume", "volumes",
	},
	"rollout": {"latest"},
}

// findCommand returns the command that an argument list calls. It returns false
// if it does not know the command or the command's flags.
func findCommand(program Program, args []Arg) (command, bool) {
	c := command{end: len(args), values: map[int]bool{}}
	words := c.words(args)
	if len(words) == 0 {
		return c, false
	}
	verb, sub := words[0], ""
	if len(words) > 1 {
		sub = words[1]
	}
	c.name = verb
	if program == OC && (slices.Contains(ocSubcommands[verb], sub) || verb == "adm" && isPolicyCommand(words)) {
		c.name, c.since = strings.Join(words[:2], " "), 18
		return c, true
	}
	if verb == "create" {
		if sub == "token" {
			c.name = "create token"
		} else {
			c.since = oldest
		}
		return c, true // all subcommands of create that are not in the table have the flag
	}
	if since, ok := simpleCommands[verb]; ok {
		c.since = since
		return c, true
	}
	if subs, ok := subcommands[verb]; ok {
		since, ok := subs[sub]
		switch {
		case verb == "apply" && !ok:
			// The word after apply is neither a subcommand nor a resource.
			// kubectl refuses it, but only after it has parsed the flags.
			since, ok = oldest, true
		case ok && sub != "":
			c.name += " " + sub
		}
		c.since = since
		return c, ok
	}
	// oc wraps these commands, so they are the same in both programs.
	return c, slices.Contains(commandsWithoutDryRun, verb)
}

// isPolicyCommand reports whether the words name a command of oc adm that changes
// permissions or groups.
func isPolicyCommand(words []string) bool {
	if len(words) < 3 {
		return false
	}
	switch words[1] {
	case "policy":
		return strings.HasPrefix(words[2], "add-") || strings.HasPrefix(words[2], "remove-")
	case "groups":
		return words[2] == "new" || words[2] == "add-users" || words[2] == "remove-users"
	}
	return false
}

// words returns the words that name a command. They are the first arguments that
// are neither flags nor values of flags, at most three. words stops at the first
// unknown word. It also sets c.end and c.values.
func (c *command) words(args []Arg) (words []string) {
	certain := true
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.equals("--"):
			c.end = i
			return words
		case c.values[i]:
		case a.Many:
			// Unknown arguments before the command's name are usually flags of
			// all commands.
			if len(words) > 0 {
				certain = false
			}
		case strings.HasPrefix(a.Text, "-"):
			if !a.Open && i+1 < len(args) && !args[i+1].Many && (takesValue(a.Text) || isCommandGroup(words) && takenForValue(a.Text)) {
				c.values[i+1] = true
			}
		case !certain || len(words) == 3:
		case a.Open || a.Maybe:
			if len(words) == 0 {
				return nil
			}
			certain = false
		default:
			words = append(words, a.Text)
		}
	}
	return words
}

// isCommandGroup reports whether the words name a command that only groups
// subcommands.
func isCommandGroup(words []string) bool {
	switch len(words) {
	case 0:
		return true
	case 1:
		return words[0] == "adm" || words[0] == "auth" || words[0] == "rollout" || words[0] == "set"
	}
	return false
}

// takenForValue reports whether cobra, when it searches for the subcommand, reads
// the argument after a flag as the flag's value. During the search, cobra knows
// only the boolean flags of all commands, not the flags of the subcommand.
// Source: stripFlags in github.com/spf13/cobra/command.go.
func takenForValue(flag string) bool {
	if !strings.HasPrefix(flag, "--") {
		return len(flag) == 2 && flag != "-h"
	}
	switch flag {
	case "--help", "--insecure-skip-tls-verify", "--match-server-version", "--warnings-as-errors", "--disable-compression",
		"--add-dir-header", "--alsologtostderr", "--logtostderr", "--one-output", "--skip-headers", "--skip-log-headers":
		return false
	}
	return !strings.Contains(flag, "=")
}

// takesValue reports whether a flag takes the next argument as its value. It
// knows the flags of all commands, and common flags of single commands.
func takesValue(flag string) bool {
	switch flag {
	case "-n", "-f", "-l", "-o", "-s", "-k", "-p", "-c", "-v",
		"--as", "--as-group", "--as-uid", "--cache-dir", "--certificate-authority", "--client-certificate",
		"--client-key", "--cluster", "--config", "--container", "--context", "--field-manager", "--field-selector",
		"--filename", "--from-env-file", "--from-file", "--from-literal", "--image", "--kubeconfig", "--kuberc",
		"--kustomize", "--loglevel", "--namespace", "--output", "--patch", "--patch-file", "--password", "--profile",
		"--request-timeout", "--selector", "--server", "--template", "--timeout", "--tls-server-name", "--token",
		"--type", "--user", "--username", "--v", "--vmodule":
		return true
	}
	return false
}
