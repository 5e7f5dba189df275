package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// maxMarkdown is the maximal size in bytes of the findings in a Markdown report. GitHub
// rejects comments with more than 65,536 characters. The rest is for the heading and the
// end.
const maxMarkdown = 60000

// markdown is the format markdown. It writes a heading with totals and a table for each
// file. It is meant for a comment on a pull request, or for a job summary. Findings that
// do not fit into a comment are only counted.
//
// Text from inputs is escaped, so that it cannot become markup, HTML, links, mentions or
// references.
type markdown struct {
	w     io.Writer
	o     Options
	rules map[string]Rule

	body   strings.Builder
	file   string
	files  int
	counts tally
	total  int
	left   int // number of findings that did not fit
}

func newMarkdown(w io.Writer, o Options) Report {
	return &markdown{w: w, o: o, rules: catalogue(o.Rules)}
}

func (m *markdown) Finding(f rules.Finding) error {
	newFile := m.total == 0 || f.File != m.file
	if newFile {
		m.files++
	}
	m.total++
	m.counts.add(f.Severity)
	m.file = f.File
	row := m.row(&f)
	if newFile {
		row = "### " + MarkdownCode(showFile(f.File)) + "\n\n" +
			"| Severity | Line | Rule | Object | Message |\n| --- | ---: | --- | --- | --- |\n" + row
		if m.total > 1 {
			row = "\n" + row
		}
	}
	// After a row was left out, all later rows are left out, so that the list has no
	// gaps.
	if m.left > 0 || m.body.Len()+len(row) > maxMarkdown {
		m.left++
		return nil
	}
	m.body.WriteString(row)
	return nil
}

// row returns the row of a finding in the table for its file.
func (m *markdown) row(f *rules.Finding) string {
	severity := f.Severity.String()
	if f.Severity == rules.Error {
		severity = "**" + severity + "**"
	}
	line := ""
	if f.Line > 0 {
		line = fmt.Sprint(f.Line)
	}
	rule := MarkdownCode(show(f.Rule))
	if url := m.rules[f.Rule].URL; url != "" {
		rule = "[" + rule + "](<" + MarkdownURL(url) + ">)"
	}
	object := ""
	if o := objectName(f, showName); o != "" {
		object = MarkdownCode(o)
	}
	message := MarkdownText(show(message(f)))
	if held := differingMinors(f, m.o.Target); held != "" {
		message += " (Kubernetes " + MarkdownText(show(held)) + ")"
	}
	if f.Hidden {
		message += " (hidden by an earlier error)"
	}
	for _, s := range serverLines(f) {
		message += "<br>" + MarkdownText(s)
	}
	for _, line := range related(f, false) {
		message += "<br>" + MarkdownText(line)
	}
	return "| " + severity + " | " + line + " | " + rule + " | " + object + " | " + message + " |\n"
}

func (m *markdown) Close(s *rules.Summary) error {
	sum := completeSummary(s)
	var b strings.Builder
	m.counts.addNotPrinted(&sum)
	heading := m.counts.String()
	if m.counts == (tally{}) {
		heading = noFindings(&sum)
	}
	if nothingRead(&sum) {
		heading = "nothing checked"
	}
	b.WriteString("## kubevet: " + heading)
	if m.total > 0 && sum.NotPrinted == nil {
		b.WriteString(" in " + plural(m.files, "file", "files"))
	}
	b.WriteString("\n\n")
	if sum.Incomplete() {
		b.WriteString("> **Incomplete:** " + incompleteReason(&sum) + ".\n\n")
	}
	if m.body.Len() > 0 {
		b.WriteString(m.body.String() + "\n")
	}
	switch line := notPrintedLine(&sum); {
	case m.left > 0:
		if line != "" {
			m.left += sum.NotPrinted.Findings // the report is full, so the remark about --max-findings would not help
		}
		fmt.Fprintf(&b, "**%s not listed here.**\n\n", plural(m.left, "more finding is", "more findings are"))
	case line != "":
		fmt.Fprintf(&b, "**%s.**\n\n", MarkdownText(line))
	}
	if !nothingRead(&sum) {
		b.WriteString("- " + MarkdownText(checkedLine(&sum)) + "\n")
		if line := targetLine(&sum); line != "" {
			b.WriteString("- " + MarkdownText(line) + "\n")
		}
	}
	if line := excludedLine(&sum); line != "" {
		b.WriteString("- " + MarkdownText(line) + "\n")
	}
	if sum.Code != nil && sum.Code.SkippedFunctionCount > 0 {
		b.WriteString("- " + MarkdownText(skippedFunctionsLine(sum.Code)) + "\n")
	}
	if line := uncheckedLine(&sum, min(len(sum.Unchecked.Kinds), summaryListed)); line != "" {
		b.WriteString("- " + MarkdownText(line) + "\n")
	}
	if line := skippedLine(&sum); line != "" {
		b.WriteString("- " + MarkdownText(line) + "\n")
	}
	if line := unrenderedLine(&sum); line != "" {
		b.WriteString("- " + MarkdownText(line) + "\n")
	}
	_, err := io.WriteString(m.w, b.String())
	return err
}

// MarkdownText escapes a text for a table cell. The text must have been escaped by
// package quote. Characters that could be markup get a backslash or become character
// references. An empty comment keeps GitHub from linking a mention or an issue.
func MarkdownText(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*', '_', '[', ']', '`', '~':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '@', '#':
			fmt.Fprintf(&b, "&#%d;<!-- -->", c)
		case '\\', '|', '<', '>', '&', '$':
			fmt.Fprintf(&b, "&#%d;", c)
		case ':':
			if strings.HasPrefix(s[i:], "://") { // prevents a link from a bare URL
				b.WriteString("&#58;")
				continue
			}
			b.WriteByte(c)
		case '.':
			if i >= 3 && strings.EqualFold(s[i-3:i], "www") { // prevents a link from www.
				b.WriteString("&#46;")
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// MarkdownCode returns a text as <code> for a table cell. The text must have been escaped
// by package quote. It uses no backticks, because a backslash and a pipe between
// backticks would end the cell.
func MarkdownCode(s string) string {
	var b strings.Builder
	b.WriteString("<code>")
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80, isLetter(c), '0' <= c && c <= '9', strings.IndexByte(" -/,;=", c) >= 0:
			b.WriteByte(c)
		case c == '.' && (i < 3 || !strings.EqualFold(s[i-3:i], "www")):
			b.WriteByte(c)
		case c == ':' && !strings.HasPrefix(s[i:], "://"):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "&#%d;", c)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// MarkdownURL escapes the URL of a rule for <...> in a table cell.
func MarkdownURL(url string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", "|", "%7C", "\\", "%5C", " ", "%20").Replace(show(url))
}
