package warningtext

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Limits, in characters. A server cuts each warning to cutTo characters if all warnings
// together have more than totalSize. The names of these limits are truncateItemRunes and
// truncateAtTotalRunes in
// k8s.io/apiserver/pkg/endpoints/filters/warning.go, unchanged since 1.19. The first limit
// is the advice in the documentation of AdmissionResponse.Warnings.
const (
	advised   = 120
	cutTo     = 256
	totalSize = 4096
)

// texts checks a list of warnings from a webhook.
func (c *checker) texts(list []ast.Expr) {
	total := 0
	for _, e := range list {
		t := c.text(e)
		total += t.length
		c.checkText(e, t, true)
	}
	if total > totalSize && len(list) > 1 {
		c.report(list[0], fmt.Sprintf("warnings of %d characters in all are too many: beyond %d the server cuts each to %d and drops the last", total, totalSize, cutTo))
	}
}

// text is what is known of a string.
type text struct {
	// known is the constant parts of the string, joined in order.
	known string
	// whole is set if known is the whole string.
	whole bool
	// length is the minimum length of the string, in characters.
	length int
}

// checkText reports a warning that the server drops or cuts. For webhooks it also reports
// texts that are longer than advised, if the flag advise is set.
func (c *checker) checkText(e ast.Expr, t text, ofWebhook bool) {
	atLeast := ""
	if !t.whole {
		atLeast = "at least "
	}
	at := strings.IndexFunc(t.known, unicode.IsControl)
	switch {
	case t.whole && t.known == "":
		c.report(e, "the server drops an empty warning")
	case at >= 0:
		r, _ := utf8.DecodeRuneInString(t.known[at:])
		c.report(e, fmt.Sprintf("the server drops a warning with control characters, and this one has U+%04X: write it on one line, without a line break at its end", r), c.withoutLineBreaks(e, t)...)
	case t.length > totalSize:
		c.report(e, fmt.Sprintf("warning of %s%d characters is cut to %d by the server, which sends %d in all", atLeast, t.length, cutTo, totalSize))
	case t.length > cutTo:
		c.report(e, fmt.Sprintf("warning of %s%d characters is cut to %d where the warnings of a request have more than %d in all: at most %d are advised", atLeast, t.length, cutTo, totalSize, advised))
	case t.length > advised && ofWebhook && c.advise:
		c.report(e, fmt.Sprintf("warning of %s%d characters is longer than the %d that Kubernetes advises", atLeast, t.length, advised))
	}
}

// agent checks the second argument of a call of AddWarning, which is the agent of the
// warning.
func (c *checker) agent(e ast.Expr) {
	t := c.text(e)
	at := strings.IndexFunc(t.known, func(r rune) bool {
		return r == '"' || r == '\\' || r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if at >= 0 {
		r, _ := utf8.DecodeRuneInString(t.known[at:])
		c.report(e, fmt.Sprintf("the server drops a warning whose agent has spaces, quotes, backslashes or control characters, and this one has %q", r))
	}
}

func (c *checker) report(n ast.Node, message string, fixes ...analysis.SuggestedFix) {
	if c.reported[n.Pos()] {
		return
	}
	c.reported[n.Pos()] = true
	scope.Report(c.pass, analysis.Diagnostic{Pos: n.Pos(), End: n.End(), Message: message, SuggestedFixes: fixes})
}

// withoutLineBreaks returns the fix that removes the line breaks at the end of a
// literal.
func (c *checker) withoutLineBreaks(e ast.Expr, t text) []analysis.SuggestedFix {
	short := strings.TrimRightFunc(t.known, unicode.IsSpace)
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || !t.whole || short == "" || strings.ContainsFunc(short, unicode.IsControl) {
		return nil
	}
	f := edit.Open(c.pass, lit.Pos())
	if f == nil || !strings.HasPrefix(f.Text(lit), `"`) {
		return nil
	}
	// The loop finds the end of the text in the source, so that escapes do not change.
	quoted := f.Text(lit)
	for n := len(quoted) - 1; n > 0; n-- {
		if s, err := strconv.Unquote(quoted[:n] + `"`); err == nil && s == short {
			return []analysis.SuggestedFix{{
				Message:   "Remove the line break",
				TextEdits: []analysis.TextEdit{{Pos: lit.Pos() + token.Pos(n), End: lit.End() - 1}},
			}}
		}
	}
	return nil
}

// text returns what is known of a string.
func (c *checker) text(e ast.Expr) text {
	if tv := c.pass.TypesInfo.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
		s := constant.StringVal(tv.Value)
		return text{known: s, whole: true, length: utf8.RuneCountInString(s)}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return c.text(e.X).and(c.text(e.Y))
		}
	case *ast.CallExpr:
		if tv := c.pass.TypesInfo.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 && isString(c.pass.TypesInfo.TypeOf(e.Args[0])) {
			return c.text(e.Args[0])
		}
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || len(e.Args) == 0 {
			break
		}
		fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
		if ok && fn.FullName() == "fmt.Sprintf" {
			return c.formatted(e)
		}
	}
	return text{}
}

func (t text) and(u text) text {
	return text{known: t.known + u.known, whole: t.whole && u.whole, length: t.length + u.length}
}

func isString(t types.Type) bool {
	b, ok := underlying(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// verb matches a verb of a format.
var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%[-+# 0]*(\[[0-9]+\])?([0-9]+|\*)?(\.([0-9]+|\*)?)?(\[[0-9]+\])?[a-zA-Z%]`)
})

// formatted returns what is known of a result of fmt.Sprintf: the format without its
// verbs.
func (c *checker) formatted(e *ast.CallExpr) text {
	tv := c.pass.TypesInfo.Types[e.Args[0]]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return text{}
	}
	format := constant.StringVal(tv.Value)
	verbs := 0
	known := verb().ReplaceAllStringFunc(format, func(v string) string {
		if v == "%%" {
			return "%"
		}
		verbs++
		return ""
	})
	return text{known: known, whole: verbs == 0, length: utf8.RuneCountInString(known)}
}
