package policydefinition

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
)

// compile does the work of env.Compile but does not format the errors. Formatting
// takes time that grows with the square of the expression's length.
func compile(env *cel.Env, text string) (*cel.Ast, *cel.Issues) {
	parsed, issues := env.Parse(text)
	if issues != nil && len(issues.Errors()) > 0 {
		return nil, issues
	}
	checked, issues := env.Check(parsed)
	if issues != nil && len(issues.Errors()) > 0 {
		return nil, issues
	}
	return checked, nil
}

// Limits for printing errors. The first two are limits of cel-go.
const (
	maxErrors  = 100     // number of errors that cel-go prints
	maxSnippet = 16384   // bytes of a line that is quoted
	shortText  = 2000    // bytes of an expression whose errors cel-go may format
	maxDisplay = 1 << 18 // bytes of the text; more than a server stores
)

// display returns the errors as text, in linear time. Source: ToDisplayString in
// github.com/google/cel-go/common/errors.go.
func display(issues *cel.Issues, text string) string {
	errs := slices.Clone(issues.Errors())
	if len(errs) >= maxErrors && len(text) < shortText {
		return issues.String() // also prints how many errors were left out
	}
	slices.SortStableFunc(errs, func(a, b *cel.Error) int {
		return slices.Compare([]int{a.Location.Line(), a.Location.Column()}, []int{b.Location.Line(), b.Location.Column()})
	})
	source := common.NewTextSource(text)
	var b strings.Builder
	for i, e := range errs {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == maxErrors || b.Len() > maxDisplay {
			fmt.Fprintf(&b, "%d more errors were truncated", len(errs)-i)
			break
		}
		fmt.Fprintf(&b, "ERROR: %s:%d:%d: %s", source.Description(), e.Location.Line(), e.Location.Column()+1, e.Message)
		if line, ok := source.Snippet(e.Location.Line()); ok && len(line) <= maxSnippet {
			line = strings.ReplaceAll(line, "\t", " ")
			b.WriteString("\n | " + line + "\n | ")
			writeMark(&b, line, e.Location.Column())
		}
	}
	return b.String()
}

func writeMark(b *strings.Builder, line string, column int) {
	for ; column > 0 && line != ""; column-- {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
		if size > 1 {
			b.WriteString("\uff0e")
		} else {
			b.WriteByte('.')
		}
	}
	if _, size := utf8.DecodeRuneInString(line); size > 1 {
		b.WriteString("\uff3e")
	} else {
		b.WriteByte('^')
	}
}
