package dryrunvalue

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// commandPackages have functions named Command and CommandContext that take a
// program and its arguments.
var commandPackages = []string{"os/exec", "k8s.io/utils/exec"}

// dryRunVerbs are the commands of kubectl that have a --dry-run flag. A
// plug-in's flag of that name may mean anything.
var dryRunVerbs = []string{
	"annotate", "apply", "autoscale", "cordon", "create", "delete", "drain", "expose", "label", "patch",
	"reconcile", "replace", "run", "scale", "set", "taint", "uncordon", "undo",
}

// command looks at the literal arguments of a kubectl command.
func (c *checker) command(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() {
		return
	}
	fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || !slices.Contains(commandPackages, edit.Unvendored(fn.Pkg().Path())) {
		return
	}
	args := call.Args
	switch fn.Name() {
	case "Command":
	case "CommandContext":
		if len(args) > 0 {
			args = args[1:]
		}
	default:
		return
	}
	if len(args) == 0 {
		return
	}
	if program, _ := c.text(args[0]); strings.TrimSuffix(path.Base(program), ".exe") != "kubectl" {
		return
	}
	c.flags(args[1:])
}

// flags looks at the arguments behind the program's name.
func (c *checker) flags(args []ast.Expr) {
	verb := ""
	for i, arg := range args {
		text, ok := c.text(arg)
		switch {
		case !ok:
			continue
		case text == "--":
			return // what follows is for somebody else
		case verb == "" && slices.Contains(dryRunVerbs, text):
			verb = text
		}
		if verb == "" {
			continue
		}
		name, value, given := strings.Cut(text, "=")
		switch name {
		case "--server-dry-run":
			c.report(arg, "kubectl has no flag --server-dry-run since 1.19: use --dry-run=server", c.flag(arg, arg, "server")...)
		case "--dry-run":
			if given {
				c.flagValue(arg, value)
				continue
			}
			if i+1 < len(args) {
				if next, ok := c.text(args[i+1]); ok && slices.Contains([]string{"none", "client", "server"}, next) {
					c.report(arg, fmt.Sprintf("kubectl takes %q for an argument of its own, and --dry-run for --dry-run=client: write --dry-run=%s", next, next),
						c.flag(arg, args[i+1], next)...)
					continue
				}
			}
			c.report(arg, "kubectl deprecates --dry-run without a value, which is --dry-run=client", c.flag(arg, arg, "client")...)
		}
	}
}

// flagValue judges --dry-run=value as GetDryRunStrategy of
// k8s.io/kubectl/pkg/cmd/util/helpers.go does, unchanged from 1.18 to 1.37.
func (c *checker) flagValue(arg ast.Expr, value string) {
	if b, err := strconv.ParseBool(value); err == nil {
		strategy := "none"
		if b {
			strategy = "client"
		}
		c.report(arg, fmt.Sprintf("kubectl deprecates the boolean --dry-run=%s, which is --dry-run=%s", value, strategy), c.flag(arg, arg, strategy)...)
		return
	}
	switch value {
	case "none", "client", "server":
	case "unchanged": // the value that a flag without one gets
		c.report(arg, "kubectl deprecates --dry-run=unchanged, which is --dry-run=client", c.flag(arg, arg, "client")...)
	default:
		c.report(arg, fmt.Sprintf(`kubectl refuses --dry-run=%s: the value must be "none", "server" or "client"`, value))
	}
}

// flag is the fix that writes the flag with a strategy in the place of the
// arguments from first to last.
func (c *checker) flag(first, last ast.Expr, strategy string) []analysis.SuggestedFix {
	for _, e := range []ast.Expr{first, last} {
		if _, literal := ast.Unparen(e).(*ast.BasicLit); !literal {
			return nil
		}
	}
	text := "--dry-run=" + strategy
	return []analysis.SuggestedFix{{
		Message:   "Replace with " + text,
		TextEdits: []analysis.TextEdit{{Pos: first.Pos(), End: last.End(), NewText: []byte(strconv.Quote(text))}},
	}}
}
