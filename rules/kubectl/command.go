package kubectl

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// command is what an argument list calls.
type command struct {
	name string
	// since is the first minor whose command has the flag --dry-run; zero for
	// a command that never had it.
	since lifecycle.Minor
	// end is the index of the first argument behind "--", which is for
	// somebody else; or the number of arguments.
	end int
	// values are the arguments that are values of flags before them.
	values map[int]bool
}

// oldest is where the facts begin: the flag may be older.
const oldest lifecycle.Minor = 16

// simple are the commands without subcommands that have --dry-run, by the
// first minor in which they do.
var simple = map[string]lifecycle.Minor{
	"annotate": oldest, "autoscale": oldest, "cordon": oldest, "drain": oldest,
	"expose": oldest, "label": oldest, "patch": oldest, "run": oldest, "uncordon": oldest,
	"delete": 18, "replace": 18, "taint": 18,
	"scale": 19,
}

// without are commands that never had it. There are more, and plug-ins.
var without = []string{"describe", "diff", "edit", "explain", "get", "top", "wait"}

// nested are the subcommands that have it, or, with zero, never had.
var nested = map[string]map[string]lifecycle.Minor{
	"apply":   {"": oldest, "set-last-applied": oldest, "edit-last-applied": 0, "view-last-applied": 0},
	"auth":    {"reconcile": oldest},
	"rollout": {"undo": oldest, "history": 0, "pause": 0, "restart": 0, "resume": 0, "status": 0},
	"set": {
		"env": oldest, "image": oldest, "resources": oldest, "selector": oldest,
		"serviceaccount": oldest, "sa": oldest, "subject": oldest,
	},
}

// openShift are further commands of oc whose --dry-run is kubectl's. Others,
// such as new-app, idle and image mirror, have a boolean of that name.
var openShift = map[string][]string{
	"adm": {"cordon", "drain", "taint", "uncordon"},
	"set": {
		"build-hook", "build-secret", "data", "deployment-hook", "image-lookup", "probe", "route-backends",
		"triggers", "volume", "volumes",
	},
	"rollout": {"latest"},
}

// find tells which command is called. It reports false where that is not
// known, or where nothing is known of its flags.
func find(program Program, args []Arg) (command, bool) {
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
	if program == OC && (slices.Contains(openShift[verb], sub) || verb == "adm" && policy(words)) {
		c.name, c.since = strings.Join(words[:2], " "), 18
		return c, true
	}
	if verb == "create" {
		if sub == "token" {
			c.name = "create token"
		} else {
			c.since = oldest
		}
		return c, true // whatever is created, the flag is there
	}
	if since, ok := simple[verb]; ok {
		c.since = since
		return c, true
	}
	if subs, ok := nested[verb]; ok {
		since, ok := subs[sub]
		switch {
		case verb == "apply" && !ok:
			// Resources are no arguments of apply: kubectl refuses them, but
			// only after it has read the flags.
			since, ok = oldest, true
		case ok && sub != "":
			c.name += " " + sub
		}
		c.since = since
		return c, ok
	}
	// oc has a get, an explain and so on of its own, which wrap kubectl's.
	return c, slices.Contains(without, verb)
}

// policy reports whether the words of oc adm are a command that changes who
// may do what.
func policy(words []string) bool {
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

// words are the first arguments that are neither flags nor their values, as
// long as they are known; three are enough to name a command.
func (c *command) words(args []Arg) (words []string) {
	certain := true
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.is("--"):
			c.end = i
			return words
		case c.values[i]:
		case a.Many:
			// What is handed over in bulk in front of a command are settings
			// that all commands share.
			if len(words) > 0 {
				certain = false
			}
		case strings.HasPrefix(a.Text, "-"):
			if !a.Open && i+1 < len(args) && !args[i+1].Many && (takesValue(a.Text) || parent(words) && takenForValue(a.Text)) {
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

// parent reports whether the words name a command that only has subcommands.
func parent(words []string) bool {
	switch len(words) {
	case 0:
		return true
	case 1:
		return words[0] == "adm" || words[0] == "auth" || words[0] == "rollout" || words[0] == "set"
	}
	return false
}

// takenForValue reports whether the argument behind a flag is taken for its
// value in the search for a subcommand: stripFlags of
// github.com/spf13/cobra/command.go knows no flags of the subcommand yet. Only
// the booleans that all commands share are known for what they are.
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

// takesValue reports whether a flag is known to take the argument behind it
// for its value: those that all commands share, and some that are common.
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
