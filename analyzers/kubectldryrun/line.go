package kubectldryrun

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/rules/kubectl"
)

// Holes stand for the unknown parts of texts.
const (
	hole        = "\x00" // any text
	booleanHole = "\x01" // "true" or "false"
)

// item is an argument of a command line, or a parameter that stands for several arguments.
type item struct {
	// text is the argument. It has holes where it is not known.
	text string
	// repeated is set if the item stands for an unknown number of arguments.
	repeated bool
	// optional is set if some runs do not have the item.
	optional bool
	// at is the Go expression that contains the argument. It is nil for an item from
	// another package.
	at ast.Expr
	// If the item is a parameter of the enclosing function, param is the parameter's
	// number, from 1. Otherwise param is 0. spread is set if the parameter is a slice
	// of arguments.
	param  int
	spread bool
	// likely is the only constant value of a variable that may also have other values.
	// For example, the user can change the default "kubectl".
	likely string
}

// arg returns what is known of the item, in the form that package kubectl needs.
func (i item) arg() kubectl.Arg {
	text, rest := i.text, ""
	if at := strings.IndexAny(text, hole+booleanHole); at >= 0 {
		text, rest = text[:at], text[at:]
	}
	return kubectl.Arg{Text: text, Open: rest != "", Bool: rest == booleanHole, Many: i.repeated, Maybe: i.optional}
}

// line is a command line. Its first item is the program.
type line []item

// hasParam reports whether an item of the line is a parameter of the enclosing
// function.
func (l line) hasParam() bool {
	for _, i := range l {
		if i.param > 0 {
			return true
		}
	}
	return false
}

// program returns the program of the line, or "" if it is not known.
func (l line) program() string {
	if len(l) == 0 || l[0].repeated {
		return ""
	}
	if l[0].likely != "" {
		return l[0].likely
	}
	if strings.ContainsAny(l[0].text, hole+booleanHole) {
		return ""
	}
	return l[0].text
}

// slot is an item in a fact.
type slot struct {
	Text   string
	Many   bool
	Maybe  bool
	Param  int
	Spread bool
	Usual  string
}

func (s slot) String() string {
	switch {
	case s.Param > 0 && s.Spread:
		return fmt.Sprintf("#%d...", s.Param)
	case s.Param > 0:
		return fmt.Sprintf("#%d", s.Param)
	case s.Many:
		return "..."
	case s.Usual != "":
		return s.Usual
	}
	return strings.NewReplacer(hole, "*", booleanHole, "*").Replace(s.Text)
}

// template has the command lines of a function of the package that runs commands. seen
// has the calls whose command lines are already in lines.
type template struct {
	lines []line
	seen  map[*ast.CallExpr]bool
}

func (t *template) fact() *runner {
	r := &runner{}
	for _, l := range t.lines {
		slots := make([]slot, len(l))
		for i, it := range l {
			slots[i] = slot{Text: it.text, Many: it.repeated, Maybe: it.optional, Param: it.param, Spread: it.spread, Usual: it.likely}
		}
		r.Lines = append(r.Lines, slots)
	}
	return r
}

func (r *runner) template() *template {
	t := &template{}
	for _, slots := range r.Lines {
		l := make(line, len(slots))
		for i, s := range slots {
			l[i] = item{text: s.Text, repeated: s.Many, optional: s.Maybe, param: s.Param, spread: s.Spread, likely: s.Usual}
		}
		t.lines = append(t.lines, l)
	}
	return t
}

// lines returns the command lines that a call runs. It returns none if the call runs no
// command.
func (c *checker) lines(call call) []line {
	fn := callee(c.pass.TypesInfo, call.expr)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	c.steps = 0
	r := &resolver{checker: c, use: call}
	if names, ok := starters[edit.Unvendored(fn.Pkg().Path())]; ok {
		at, ok := names[fn.Name()]
		if !ok || len(call.expr.Args) <= at || call.expr.Ellipsis.IsValid() && len(call.expr.Args) == at+1 {
			return nil
		}
		program := withLikelyProgram(r.scalar(call.expr.Args[at]), call.expr.Args[at])
		if len(program) != 1 {
			return nil
		}
		return r.product([]line{program}, r.arguments(call.expr, at+1))
	}
	t := c.runners[fn.Origin()]
	if t == nil {
		var fact runner
		if fn.Pkg() == c.pass.Pkg || !c.pass.ImportObjectFact(fn.Origin(), &fact) {
			return nil
		}
		t = fact.template()
	}
	variadic := -1
	if sig := fn.Signature(); sig.Variadic() {
		variadic = sig.Params().Len() - 1
	}
	var all []line
	for _, l := range t.lines {
		filled := []line{nil}
		for _, it := range l {
			filled = r.product(filled, r.fill(it, variadic))
		}
		all = append(all, filled...)
	}
	return all[:min(len(all), maxLines)]
}

// fill returns the values that an item has in a call. If the item is a parameter, the
// values are those of the call's argument.
func (r *resolver) fill(it item, variadic int) []line {
	if it.param == 0 {
		return []line{{it}}
	}
	args, at := r.use.expr.Args, it.param-1
	var values []line
	switch {
	case it.spread && at == variadic:
		values = r.arguments(r.use.expr, at)
	case at >= len(args) || r.use.expr.Ellipsis.IsValid() && at == len(args)-1 && !it.spread:
		return []line{{item{repeated: true}}}
	case it.spread:
		values = r.list(args[at], 0)
	default:
		values = []line{r.scalar(args[at])}
	}
	if it.optional {
		for i, l := range values {
			values[i] = l.allOptional()
		}
	}
	return values
}

// allOptional returns a copy of the line in which all items are optional.
func (l line) allOptional() line {
	out := make(line, len(l))
	for i, it := range l {
		it.optional = true
		out[i] = it
	}
	return out
}

// arguments returns the last part of a command line: the arguments of a call, beginning
// with index from.
func (r *resolver) arguments(call *ast.CallExpr, from int) []line {
	lines := []line{nil}
	for i := from; i < len(call.Args); i++ {
		if call.Ellipsis.IsValid() && i == len(call.Args)-1 {
			lines = r.product(lines, r.list(call.Args[i], 0))
			continue
		}
		lines = r.product(lines, []line{r.scalar(call.Args[i])})
	}
	return lines
}

// maxItems limits the arguments of a command line that are examined.
const maxItems = 500

// product returns all combinations of a line and a continuation, up to maxLines.
func (r *resolver) product(lines, rest []line) []line {
	var out []line
	for _, l := range lines {
		for _, m := range rest {
			if len(out) == maxLines {
				return out
			}
			joined := make(line, 0, min(len(l)+len(m), maxItems))
			joined = append(append(joined, l...), m[:min(len(m), maxItems-len(l))]...)
			out = append(out, joined)
		}
	}
	return out
}
