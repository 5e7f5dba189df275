package manifestlint

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// suppressMark is a text that all suppression comments contain.
var suppressMark = []byte("kubevet:ignore")

// directive is one rule in a suppression comment.
type directive struct {
	span      Span   // span of the comment
	rule      string // the rule's current ID, or the comment's word if there is no such rule
	known     bool
	noReason  bool
	wholeFile bool // the directive covers the whole file
	// from and to are the first and the last line that the directive covers.
	from, to int
	used     bool
}

func (d *directive) covers(f *rules.Finding) bool {
	return d.rule == f.Rule && (d.wholeFile || f.Line >= d.from && f.Line <= d.to)
}

// directives returns the directives in the comments of a document. root is the
// document's tree; nil if the document does not parse.
func directives(doc []byte, firstLine int, root *wire.Value) []directive {
	var all []directive
	nodes := newNodeLayout(root)
	content := false // a line with content was seen
	line := firstLine
	last := firstLine + bytes.Count(doc, []byte{'\n'})
	next := 0 // first line with content after the last comment
	for rest := doc; len(rest) > 0; line++ {
		end := document.LineEnd(rest, 0)
		text := bytes.TrimRight(rest[:end], "\r\n")
		rest = rest[end:]
		trimmed := bytes.TrimLeft(text, " \t")
		blank := len(trimmed) == 0 || document.BeginsDocument(text) || text[0] == '%'
		at := nodes.commentAt(line, text)
		if at < 0 {
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
			d.from, d.to = firstLine, last
		case alone:
			if next <= line {
				next = line + 1 + commentLines(rest)
			}
			d.from = next
			d.to = nodes.lastLine(d.from)
		default:
			d.from, d.to = line, nodes.lastLine(line)
		}
		all = append(all, parseDirective(string(text[at:]), d, !content)...)
		if len(all) > maxDirectives {
			all = append(all[:maxDirectives], directive{span: d.span, rule: "-many"})
			return all
		}
		content = content || !alone
	}
	return all
}

// commentAt returns the offset of the suppression comment in a line; -1 for
// none. It ignores strings that look like a suppression comment.
func (l *nodeLayout) commentAt(line int, text []byte) int {
	counted, column := 0, 1 // column is the column at offset counted of text
	for from := 0; ; {
		n := bytes.Index(text[from:], suppressMark)
		if n < 0 {
			return -1
		}
		mark := from + n
		from = mark + len(suppressMark)
		after := text[from:]
		if len(after) > 0 && after[0] != ' ' && after[0] != '\t' && !bytes.HasPrefix(after, []byte("-file")) {
			continue
		}
		at := len(bytes.TrimRight(text[:mark], " \t")) - 1
		if at < 0 || text[at] != '#' || at > 0 && text[at-1] != ' ' && text[at-1] != '\t' {
			continue
		}
		column += utf8.RuneCount(text[counted:at])
		counted = at
		if !l.inScalar(line, column) {
			return at
		}
	}
}

// commentLines returns the number of blank lines and comments at the start of a
// text.
func commentLines(b []byte) int {
	n := 0
	for len(b) > 0 {
		end := document.LineEnd(b, 0)
		trimmed := bytes.TrimSpace(b[:end])
		if len(trimmed) > 0 && trimmed[0] != '#' {
			break
		}
		n++
		b = b[end:]
	}
	return n
}

// parseDirective parses a comment such as "# kubevet:ignore a,b -- reason". It
// returns a copy of d for each rule, or one without a rule if the comment names
// none. head is true if no content is before the comment.
func parseDirective(comment string, d directive, head bool) []directive {
	text := strings.TrimSpace(strings.TrimLeft(comment, "#"))
	text = strings.TrimPrefix(text, string(suppressMark))
	if after, ok := strings.CutPrefix(text, "-file"); ok {
		text, d.wholeFile = after, head
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
		if current, ok := rules.Resolve(id); ok {
			one.rule, one.known = current, true
		} else {
			one.known = rules.UpgradeCategory(id) // for kubevet upgrade
		}
		all = append(all, one)
	}
	return all
}

// maxDirectives is the largest number of directives in one document. Users with
// more findings can write one directive above the document, which covers all of
// it.
const maxDirectives = 1000

// nodeLayout has the lines of the nodes of a document.
type nodeLayout struct {
	lastLines map[int]int    // last line of all nodes that begin on a line
	multiline map[int]bool   // lines in a scalar of several lines
	spans     map[int][]Span // keys and other scalars, by line
	sorted    map[int]bool   // lines whose spans are sorted
}

func newNodeLayout(root *wire.Value) *nodeLayout {
	l := &nodeLayout{map[int]int{}, map[int]bool{}, map[int][]Span{}, map[int]bool{}}
	if root != nil {
		l.add(root, map[*wire.Value]int{})
	}
	return l
}

// add adds a value and returns its last line. Aliases can share a value, so
// seen has the last lines of the values that were added before.
func (l *nodeLayout) add(v *wire.Value, seen map[*wire.Value]int) int {
	if last, ok := seen[v]; ok {
		return last
	}
	last := max(v.Pos.Line, v.End.Line)
	switch v.Kind {
	case wire.Map:
		for i := range v.Fields {
			f := &v.Fields[i]
			l.spans[f.Pos.Line] = append(l.spans[f.Pos.Line], Span{f.Pos, f.End})
			end := max(f.Pos.Line, l.add(f.Value, seen))
			l.lastLines[f.Pos.Line] = max(l.lastLines[f.Pos.Line], end)
			last = max(last, end)
		}
	case wire.List:
		for _, item := range v.Items {
			end := l.add(item, seen)
			l.lastLines[item.Pos.Line] = max(l.lastLines[item.Pos.Line], end)
			last = max(last, end)
		}
	default:
		if v.Pos.Line == v.End.Line {
			l.spans[v.Pos.Line] = append(l.spans[v.Pos.Line], Span{v.Pos, v.End})
			break
		}
		for line := v.Pos.Line + 1; line < v.End.Line; line++ {
			l.multiline[line] = true
		}
		l.spans[v.End.Line] = append(l.spans[v.End.Line], Span{wire.Pos{Line: v.End.Line, Column: 1}, v.End})
	}
	seen[v] = last
	return last
}

// inScalar reports whether a position is inside a scalar.
func (l *nodeLayout) inScalar(line, column int) bool {
	if l.multiline[line] {
		return true
	}
	all := l.spans[line]
	if !l.sorted[line] {
		l.sorted[line] = true
		slices.SortFunc(all, func(a, b Span) int { return a.Pos.Column - b.Pos.Column })
	}
	// Scalars and keys do not overlap, so only the last span before the position
	// can contain it.
	n, found := slices.BinarySearchFunc(all, column, func(s Span, column int) int { return s.Pos.Column - column })
	if !found {
		n--
	}
	return n >= 0 && column < all[n].End.Column
}

// lastLine returns the last line of all nodes that begin on a line: fields with
// their values, and list items.
func (l *nodeLayout) lastLine(line int) int { return max(line, l.lastLines[line]) }
