package checks

import (
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// forever is the duration of "sleep infinity".
const forever = time.Duration(math.MaxInt64)

// maxScript is the largest size of a script that is parsed, in bytes.
const maxScript = 64 << 10

// commandSleep returns how long a command sleeps if all its programs succeed.
// The command is sleep, or a shell script that calls sleep. Calls that depend
// on a condition, a loop or a variable do not count.
func commandSleep(command []string) time.Duration {
	for len(command) > 0 && (command[0] == "exec" || path.Base(command[0]) == "busybox") {
		command = command[1:]
	}
	if len(command) == 0 {
		return 0
	}
	switch path.Base(command[0]) {
	case "sleep":
		return sleepArgs(command[1:])
	case "sh", "bash", "ash", "dash":
		total, _ := sequenceSleep(parseScript(command[1:]))
		return total
	}
	return 0
}

// parseScript returns the statements of the script after a shell's option -c,
// which can be in a word with other options, such as -ec.
func parseScript(args []string) []*syntax.Stmt {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
			return nil // the script is in a file
		}
		if !strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "--") || !strings.Contains(arg, "c") {
			continue
		}
		rest := args[i+1:]
		if len(rest) > 0 && rest[0] == "--" {
			rest = rest[1:]
		}
		if len(rest) == 0 || !strings.Contains(rest[0], "sleep") || len(rest[0]) > maxScript {
			return nil
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(rest[0]), "")
		if err != nil {
			return nil
		}
		return file.Stmts
	}
	return nil
}

// sleepArgs returns the sum of the arguments of sleep. As in GNU coreutils and
// BusyBox, an argument is a number with an optional suffix.
func sleepArgs(args []string) time.Duration {
	var total time.Duration
	for _, arg := range args {
		d, ok := sleepTime(arg)
		if !ok {
			return 0
		}
		total = addDurations(total, d)
	}
	return total
}

// sleepTime returns the duration of one argument of sleep. It returns false if
// the argument is invalid.
func sleepTime(arg string) (time.Duration, bool) {
	if arg == "infinity" || arg == "inf" {
		return forever, true
	}
	unit := time.Second
	switch n := max(0, len(arg)-1); arg[n:] {
	case "s":
		arg = arg[:n]
	case "m":
		arg, unit = arg[:n], time.Minute
	case "h":
		arg, unit = arg[:n], time.Hour
	case "d":
		arg, unit = arg[:n], 24*time.Hour
	}
	n, err := strconv.ParseFloat(arg, 64)
	if err != nil || strings.Trim(arg, "0123456789.") != "" {
		return 0, false
	}
	if n*float64(unit) >= float64(forever) {
		return forever, true
	}
	return time.Duration(n * float64(unit)), true
}

// addDurations returns the sum of two durations, or forever if it is too large.
func addDurations(a, b time.Duration) time.Duration {
	if a > forever-b {
		return forever
	}
	return a + b
}

// sequenceSleep returns how long statements sleep together. ends is true if one
// of them ends the script.
func sequenceSleep(stmts []*syntax.Stmt) (total time.Duration, ends bool) {
	for _, s := range stmts {
		if s.Background || s.Coprocess || s.Disown {
			continue
		}
		d, ends := statementSleep(s)
		total = addDurations(total, d)
		if ends {
			return total, true
		}
	}
	return total, false
}

// statementSleep returns how long a statement sleeps. ends is true if the
// statement ends the script.
func statementSleep(s *syntax.Stmt) (total time.Duration, ends bool) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		args := literalWords(c)
		if len(args) == 0 {
			return 0, false
		}
		return commandSleep(args), args[0] == "exit" || args[0] == "return" || args[0] == "exec" && len(args) > 1
	case *syntax.Block:
		return sequenceSleep(c.Stmts)
	case *syntax.Subshell:
		total, _ = sequenceSleep(c.Stmts)
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			return sequenceSleep([]*syntax.Stmt{c.X, c.Y})
		}
		total, _ = statementSleep(c.X)
	}
	return total, false
}

// literalWords returns the words of a simple command. A word that the shell
// expands becomes "$", which is neither a command nor a number.
func literalWords(c *syntax.CallExpr) []string {
	var words []string
	for _, w := range c.Args {
		word, ok := literal(w.Parts)
		if !ok {
			word = "$"
		}
		words = append(words, word)
	}
	return words
}

// literal returns the text of a word without its quotes. ok is false if the
// shell expands the word.
func literal(parts []syntax.WordPart) (text string, ok bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			quoted, ok := literal(p.Parts)
			if !ok {
				return "", false
			}
			text += quoted
		default:
			return "", false
		}
	}
	return text, true
}
