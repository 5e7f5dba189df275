package dryrunvalue

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
	"unicode"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
	"golang.org/x/tools/go/analysis"
)

// value checks the value of option o if the value is constant. body is set if the client
// sends the option in the request's body.
func (c *checker) value(o option, e ast.Expr, body bool) {
	switch o {
	case none:
	case dryRun:
		switch e := ast.Unparen(e).(type) {
		case *ast.CompositeLit:
			c.elements(e.Elts, e, body)
		case *ast.CallExpr:
			if fun, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && fun.Name == "append" && len(e.Args) > 1 && !e.Ellipsis.IsValid() {
				if _, builtin := c.pass.TypesInfo.Uses[fun].(*types.Builtin); builtin {
					c.elements(e.Args[1:], nil, body)
				}
			}
		}
	default:
		if text, ok := c.text(e); ok {
			c.checkText(o, e, text)
		}
	}
}

// checkText reports a field manager or a field validation that servers refuse.
func (c *checker) checkText(o option, e ast.Expr, text string) {
	switch o {
	case manager:
		switch {
		case len(text) > writeoptions.ManagerLimit:
			c.report(e, fmt.Sprintf("field manager of %d bytes is refused by the server, which allows %d", len(text), writeoptions.ManagerLimit))
		case len(writeoptions.FieldManager(text)) > 0:
			at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
			c.report(e, fmt.Sprintf("field manager %q is refused by the server: U+%04X at position %d is not printable", text, []rune(text[at:])[0], at))
		}
	case validation:
		if writeoptions.FieldValidation(text) == "" {
			return
		}
		message := fmt.Sprintf(`field validation %q is refused by the server, which supports "Ignore", "Strict" and "Warn"`, text)
		if meant := writeoptions.Validation(text); meant != "" {
			c.report(e, message, c.replacement(e, "FieldValidation"+meant, meant)...)
			return
		}
		c.report(e, message)
	}
}

// elements checks the elements of a dry-run list. in is the literal with all elements of
// the list, or nil if the list may have other elements. body is set if the client sends the
// list in the request's body. An empty string then reaches the server.
func (c *checker) elements(list []ast.Expr, in *ast.CompositeLit, body bool) {
	seen := false
	for i, e := range list {
		text, ok := c.text(e)
		switch {
		case !ok:
		case text == writeoptions.All && seen && in != nil:
			c.report(e, `DryRun lists "All" twice: once is enough`, c.withoutElement(in, i)...)
		case text == writeoptions.All:
			seen = true
		case text == "" && !body:
			// The query encoder skips empty elements of a list
			// (k8s.io/apimachinery/pkg/conversion/queryparams/convert.go, addListOfParams).
			// If the list has no other element, the write is not a dry run.
			message := "DryRun lists an empty string, which the client leaves out of the request"
			if in != nil && len(list) == 1 {
				message += ": this is no dry run, and the object is written"
			}
			c.report(e, message)
		default:
			var fixes []analysis.SuggestedFix
			switch {
			case !meansAll(text):
			case seen && in != nil:
				fixes = c.withoutElement(in, i)
			default:
				fixes = c.replacement(e, "DryRunAll", writeoptions.All)
			}
			c.report(e, unsupported(text), fixes...)
		}
	}
}

func unsupported(text string) string {
	return fmt.Sprintf(`dry-run value %q is refused by the server, which supports only "All": use metav1.DryRunAll`, text)
}

// meansAll reports whether a wrong value certainly asks for a dry run on the server, such
// as "server" or "true". It is false for "none", "false" and "client".
func meansAll(text string) bool {
	switch strings.ToLower(text) {
	case "all", "true", "server", "yes", "on", "1":
		return true
	}
	return false
}

// replacement returns the fix that replaces e with a constant of metav1. If the file does
// not import metav1, or metav1 lacks the constant, the fix writes the constant's value.
func (c *checker) replacement(e ast.Expr, name, value string) []analysis.SuggestedFix {
	text := fmt.Sprintf("%q", value)
	if pkg, ok := edit.Imported(c.pass, e.Pos(), metaV1); ok && c.declares(metaV1, name) {
		text = pkg + "." + name
	}
	f := edit.Open(c.pass, e.Pos())
	if f == nil {
		return nil
	}
	replaced := analysis.TextEdit{Pos: e.Pos(), End: e.End()}
	orphans, ok := f.Orphans(replaced)
	if !ok {
		return nil
	}
	replaced.NewText = []byte(text)
	return []analysis.SuggestedFix{{Message: "Replace with " + text, TextEdits: append(orphans, replaced)}}
}

// declares reports whether the package imports the package at path, and that package
// declares the name. Old versions of metav1 have no constants for field validation.
func (c *checker) declares(path, name string) bool {
	for _, p := range c.pass.Pkg.Imports() {
		if edit.Unvendored(p.Path()) == path {
			return p.Scope().Lookup(name) != nil
		}
	}
	return false
}

// withoutElement returns the fix that removes element i of a list.
func (c *checker) withoutElement(in *ast.CompositeLit, i int) []analysis.SuggestedFix {
	f := edit.Open(c.pass, in.Pos())
	if f == nil {
		return nil
	}
	removal := edit.Element(f, in.Elts, i, in.Rbrace)
	orphans, ok := f.Orphans(removal)
	if !ok {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Remove " + f.Text(in.Elts[i]), TextEdits: append(orphans, removal)}}
}

// text returns the value of a constant string expression. It is false for other
// expressions.
func (c *checker) text(e ast.Expr) (string, bool) {
	tv, ok := c.pass.TypesInfo.Types[e]
	if !ok || tv.Value == nil || tv.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(tv.Value), true
}
