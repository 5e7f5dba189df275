package checks

import (
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// forever is what "sleep infinity" comes to.
const forever = time.Duration(math.MaxInt64)

// maxScript bounds the scripts that are parsed.
const maxScript = 64 << 10

// commandSleep gives for how long a command sleeps for certain, if all that it
// runs succeeds: "sleep N" itself, or a shell script with sleeps in it. What
// depends on a condition, a loop or a variable counts for nothing.
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
		return scriptSleep(script(command[1:]))
	}
	return 0
}

// script finds the text after a shell's -c, which may be one of several
// options in one word, such as -ec.
func script(args []string) string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
			return "" // a file
		}
		if !strings.HasPrefix(arg, "--") && strings.HasPrefix(arg, "-") && strings.Contains(arg, "c") {
			rest := args[i+1:]
			if len(rest) > 0 && rest[0] == "--" {
				rest = rest[1:]
			}
			if len(rest) > 0 {
				return rest[0]
			}
		}
	}
	return ""
}

// sleepArgs adds up the arguments of sleep: numbers with an optional suffix,
// as GNU coreutils and BusyBox take them.
func sleepArgs(args []string) time.Duration {
	var total time.Duration
	for _, arg := range args {
		d, ok := sleepTime(arg)
		if !ok {
			return 0
		}
		total = add(total, d)
	}
	return total
}

func sleepTime(arg string) (time.Duration, bool) {
	if arg == "infinity" || arg == "inf" {
		return forever, true
	}
	unit := time.Second
	switch {
	case strings.HasSuffix(arg, "s"):
		arg = arg[:len(arg)-1]
	case strings.HasSuffix(arg, "m"):
		arg, unit = arg[:len(arg)-1], time.Minute
	case strings.HasSuffix(arg, "h"):
		arg, unit = arg[:len(arg)-1], time.Hour
	case strings.HasSuffix(arg, "d"):
		arg, unit = arg[:len(arg)-1], 24*time.Hour
	}
	if strings.Trim(arg, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(arg, 64)
	if err != nil {
		return 0, false
	}
	if n*float64(unit) >= float64(forever) {
		return forever, true
	}
	return time.Duration(n * float64(unit)), true
}

// add adds durations without overflow.
func add(a, b time.Duration) time.Duration {
	if a > forever-b {
		return forever
	}
	return a + b
}

// scriptSleep adds up the sleeps that a script runs one after the other.
func scriptSleep(text string) time.Duration {
	if !strings.Contains(text, "sleep") || len(text) > maxScript {
		return 0
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return 0
	}
	total, _ := sequence(file.Stmts)
	return total
}

// sequence adds up statements until one ends the script.
func sequence(stmts []*syntax.Stmt) (total time.Duration, ends bool) {
	for _, s := range stmts {
		if s.Background || s.Coprocess || s.Disown {
			continue
		}
		d, end := statement(s.Cmd)
		total = add(total, d)
		if end {
			return total, true
		}
	}
	return total, false
}

func statement(cmd syntax.Command) (time.Duration, bool) {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return call(c)
	case *syntax.Block:
		return sequence(c.Stmts)
	case *syntax.Subshell:
		d, _ := sequence(c.Stmts)
		return d, false
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return statement(c.Stmt.Cmd)
		}
	case *syntax.BinaryCmd:
		left, end := statement(c.X.Cmd)
		if end || c.Op != syntax.AndStmt {
			return left, end && c.Op == syntax.AndStmt
		}
		right, end := statement(c.Y.Cmd)
		return add(left, right), end
	case *syntax.ForClause:
		return loop(c)
	}
	return 0, false
}

// loop multiplies the body of a loop over words that are all literal.
func loop(c *syntax.ForClause) (time.Duration, bool) {
	words, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select {
		return 0, false
	}
	for _, w := range words.Items {
		if lit := w.Lit(); lit == "" || strings.ContainsAny(lit, "*?[{") {
			return 0, false
		}
	}
	body, _ := sequence(c.Do)
	if mentions(c.Do, "break", "continue", "exit", "return") {
		return 0, false
	}
	var total time.Duration
	for range words.Items {
		total = add(total, body)
	}
	return total, false
}

// mentions reports whether statements call any of some commands.
func mentions(stmts []*syntax.Stmt, names ...string) bool {
	found := false
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				for _, name := range names {
					found = found || c.Args[0].Lit() == name
				}
			}
			return !found
		})
	}
	return found
}

// call gives the sleep of a simple command, and whether nothing runs after it.
func call(c *syntax.CallExpr) (time.Duration, bool) {
	args := make([]string, 0, len(c.Args))
	for _, w := range c.Args {
		text, ok := literal(w)
		if !ok {
			text = "$" // no number, no command that is known
		}
		args = append(args, text)
	}
	if len(args) == 0 {
		return 0, false
	}
	switch args[0] {
	case "exit", "return":
		return 0, true
	case "exec":
		return commandSleep(args[1:]), len(args) > 1
	}
	return commandSleep(args), false
}

// literal gives a word that the shell does not change, without its quotes.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(lit.Value)
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}
