package manifestlint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// suppressMark is what makes a document worth looking at for suppressions.
var suppressMark = []byte("kubevet:ignore")

// directive is one rule named by one suppression comment.
type directive struct {
	span     Span   // the comment
	rule     string // present ID, or as written where it is unknown
	known    bool
	noReason bool
	file     bool // the whole file
	// from and to are the lines that it covers, inclusive.
	from, to int
	used     bool
}

func (d *directive) covers(f *rules.Finding) bool {
	return d.rule == f.Rule && (d.file || f.Line >= d.from && f.Line <= d.to)
}

// directives reads the suppression comments of a document. root is its tree,
// nil if it does not parse.
func directives(doc []byte, firstLine int, root *wire.Value) []directive {
	var all []directive
	content := false // a line with content was seen
	line := firstLine
	for rest := doc; len(rest) > 0; line++ {
		end := lineEnd(rest, 0)
		text := bytes.TrimRight(rest[:end], "\r\n")
		rest = rest[end:]
		trimmed := bytes.TrimLeft(text, " \t")
		blank := len(trimmed) == 0 || markerAt(text, '-') || text[0] == '%'
		at := commentAt(text)
		if at < 0 || root != nil && inScalar(root, line, utf8.RuneCount(text[:at])+1) {
			content = content || !blank && trimmed[0] != '#'
			continue
		}
		alone := len(bytes.TrimSpace(text[:at])) == 0
		d := directive{span: Span{
			wire.Pos{Line: line, Column: utf8.RuneCount(text[:at]) + 1},
			wire.Pos{Line: line, Column: utf8.RuneCount(bytes.TrimRight(text, " \t")) + 1},
		}}
		switch {
		case alone && !content:
			d.from, d.to = firstLine, firstLine+bytes.Count(doc, []byte{'\n'})
		case alone:
			d.from = line + 1 + commentLines(rest)
			d.to = lastLine(root, d.from)
		default:
			d.from, d.to = line, lastLine(root, line)
		}
		all = append(all, parseDirective(string(text[at:]), d, !content)...)
		content = content || !alone
	}
	return all
}

// commentAt gives the offset of the # of a suppression comment, or -1.
func commentAt(line []byte) int {
	at := bytes.Index(line, suppressMark)
	if at < 0 {
		return -1
	}
	at = len(bytes.TrimRight(line[:at], " \t")) - 1
	if after := line[bytes.Index(line, suppressMark)+len(suppressMark):]; len(after) > 0 && after[0] != ' ' && after[0] != '\t' &&
		!bytes.HasPrefix(after, []byte("-file")) {
		return -1
	}
	if at < 0 || line[at] != '#' || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
		return -1
	}
	return at
}

// commentLines counts the blank lines and comments that a text begins with.
func commentLines(b []byte) int {
	n := 0
	for len(b) > 0 {
		end := lineEnd(b, 0)
		trimmed := bytes.TrimSpace(b[:end])
		if len(trimmed) > 0 && trimmed[0] != '#' {
			break
		}
		n++
		b = b[end:]
	}
	return n
}

// parseDirective reads "# kubevet:ignore a,b -- reason". It gives one
// directive for each rule, and one without a rule if none is named.
func parseDirective(comment string, d directive, head bool) []directive {
	text := strings.TrimSpace(strings.TrimLeft(comment, "#"))
	text = strings.TrimPrefix(text, string(suppressMark))
	if after, ok := strings.CutPrefix(text, "-file"); ok {
		text, d.file = after, head
		if !head {
			return []directive{{span: d.span, rule: "-file"}}
		}
	}
	names, reason, _ := strings.Cut(text, "--")
	d.noReason = strings.TrimSpace(reason) == ""
	ids := strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(ids) == 0 {
		return []directive{d}
	}
	all := make([]directive, 0, len(ids))
	for _, id := range ids {
		one := d
		one.rule = id
		if now, ok := rules.Resolve(id); ok {
			one.rule, one.known = now, true
		}
		all = append(all, one)
	}
	return all
}

// inScalar reports whether a place is within a scalar rather than between
// values.
func inScalar(v *wire.Value, line, column int) bool {
	switch v.Kind {
	case wire.Map:
		for i := range v.Fields {
			f := &v.Fields[i]
			if f.Pos.Line == line && f.Pos.Column <= column && column < f.End.Column || inScalar(f.Value, line, column) {
				return true
			}
		}
		return false
	case wire.List:
		for _, item := range v.Items {
			if inScalar(item, line, column) {
				return true
			}
		}
		return false
	}
	if v.Pos.Line == v.End.Line {
		return v.Pos.Line == line && v.Pos.Column <= column && column < v.End.Column
	}
	return line > v.Pos.Line && (line < v.End.Line || line == v.End.Line && column < v.End.Column)
}

// lastLine gives the last line of the nodes that begin on a line: fields with
// their values, and list items.
func lastLine(root *wire.Value, line int) int {
	if root == nil {
		return line
	}
	last := line
	var walk func(v *wire.Value, within bool)
	walk = func(v *wire.Value, within bool) {
		if within {
			last = max(last, v.Pos.Line, v.End.Line)
		}
		for i := range v.Fields {
			walk(v.Fields[i].Value, within || v.Fields[i].Pos.Line == line)
		}
		for _, item := range v.Items {
			walk(item, within || item.Pos.Line == line)
		}
	}
	walk(root, false)
	return last
}

// suppress drops the findings that directives cover and counts them.
func suppress(findings []rules.Finding, all []directive, sum *rules.Summary) []rules.Finding {
	if len(all) == 0 {
		return findings
	}
	kept := findings[:0]
	for i := range findings {
		covered := false
		for j := range all {
			if all[j].covers(&findings[i]) {
				all[j].used, covered = true, true
			}
		}
		if covered {
			sum.Suppressed++
		} else {
			kept = append(kept, findings[i])
		}
	}
	return kept
}

// complain gives what is wrong with a directive, or "". What was not judged
// can need none.
func (l *Linter) complain(d *directive, judged bool) string {
	switch {
	case d.rule == "-file":
		return "kubevet:ignore-file counts only before the first line of the file that is no comment"
	case d.rule == "":
		return "kubevet:ignore names no rule"
	case !d.known:
		return fmt.Sprintf("kubevet:ignore names %q, which is no rule", d.rule)
	case l.opts.RequireReason && d.noReason:
		return fmt.Sprintf("kubevet:ignore %s gives no reason: write it after --", d.rule)
	case !d.used && judged && l.active[d.rule]:
		return fmt.Sprintf("kubevet:ignore %s suppresses nothing", d.rule)
	}
	return ""
}
