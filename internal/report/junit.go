package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// junit is the format junit. It writes a test suite for each file and a failed test case
// for each finding. The format has no severities, so all findings are failures.
//
// A further suite is about inputs that could not be checked:
//
//   - an error for each input that could not be read
//   - a skipped test for templated documents, and for kinds without a schema
//   - a failure with the number of findings that are not printed
//
// If a run has none of these, the suite has one passed test, because CI systems reject a
// report without tests.
//
// Only the findings of one file are in memory at a time. So the root element has no
// totals.
type junit struct {
	w *bufio.Writer
	o Options

	started bool
	file    string
	cases   []junitCase
	names   map[string]int // number of cases with each name
	total   int            // number of findings so far
}

type junitCase struct {
	name    string
	element string // "failure", "error" or "skipped"; empty for a passed test
	kind    string
	message string
	body    []string
}

func newJUnit(w io.Writer, o Options) Report {
	return &junit{w: newWriter(w), o: o}
}

func (j *junit) Finding(f rules.Finding) error {
	if len(j.cases) > 0 && f.File != j.file {
		if err := j.flush(showFile(j.file), true); err != nil {
			return err
		}
	}
	j.file = f.File
	j.total++
	name := show(f.Rule)
	if f.Line > 0 {
		name += fmt.Sprintf(" at line %d", f.Line)
	}
	j.add(junitCase{
		name: name, element: "failure", kind: show(f.Rule),
		message: f.Severity.String() + ": " + sentence(&f, j.o.Target),
		body:    j.body(&f),
	})
	return nil
}

// add adds a case to the current suite. CI systems show only one test for each name, so
// add appends a number to a name that occurs again.
func (j *junit) add(c junitCase) {
	if j.names == nil {
		j.names = map[string]int{}
	}
	j.names[c.name]++
	if n := j.names[c.name]; n > 1 {
		c.name = fmt.Sprintf("%s (%d)", c.name, n)
	}
	j.cases = append(j.cases, c)
}

// body returns the text about a finding as lines.
func (j *junit) body(f *rules.Finding) []string {
	lines := []string{showFile(f.File) + position(f) + ": " + f.Severity.String() + ": " + show(f.Message)}
	add := func(label, value string) {
		if value != "" {
			lines = append(lines, label+value)
		}
	}
	add("object: ", objectName(f, showName))
	add("field: ", show(f.Path))
	add("Kubernetes: ", show(f.Minors))
	add("instead: ", show(f.Replacement))
	for _, line := range serverLines(f) {
		add("", line)
	}
	for _, line := range related(f, j.o.Verbose) {
		add("", line)
	}
	return lines
}

func (j *junit) start() {
	if !j.started {
		j.started = true
		j.w.WriteString(xml.Header + `<testsuites name="kubevet">` + "\n")
	}
}

// flush writes the collected cases as one suite. isFile says that the suite is about one
// file.
func (j *junit) flush(suite string, isFile bool) error {
	j.start()
	count := map[string]int{}
	for _, c := range j.cases {
		count[c.element]++
	}
	suite = xmlText(suite)
	fmt.Fprintf(j.w, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n",
		suite, len(j.cases), count["failure"], count["error"], count["skipped"])
	for _, c := range j.cases {
		fmt.Fprintf(j.w, "    <testcase classname=\"%s\" name=\"%s\"", suite, xmlText(c.name))
		if isFile {
			fmt.Fprintf(j.w, " file=\"%s\"", suite)
		}
		if c.element == "" {
			j.w.WriteString("></testcase>\n")
			continue
		}
		fmt.Fprintf(j.w, ">\n      <%s", c.element)
		if c.kind != "" {
			fmt.Fprintf(j.w, " type=\"%s\"", xmlText(c.kind))
		}
		fmt.Fprintf(j.w, " message=\"%s\">", xmlText(c.message))
		for i, line := range c.body {
			if i > 0 {
				j.w.WriteByte('\n')
			}
			j.w.WriteString(xmlText(line))
		}
		fmt.Fprintf(j.w, "</%s>\n    </testcase>\n", c.element)
	}
	j.cases = j.cases[:0]
	clear(j.names)
	_, err := j.w.WriteString("  </testsuite>\n")
	return err
}

func (j *junit) Close(s *rules.Summary) error {
	if len(j.cases) > 0 {
		if err := j.flush(showFile(j.file), true); err != nil {
			return err
		}
	}
	j.start()
	j.addSummary(completeSummary(s))
	if len(j.cases) > 0 {
		if err := j.flush("kubevet", false); err != nil {
			return err
		}
	}
	j.w.WriteString("</testsuites>\n")
	return j.w.Flush()
}

// addSummary adds the cases about inputs that could not be checked.
func (j *junit) addSummary(s rules.Summary) {
	if line := notPrintedLine(&s); line != "" {
		j.add(junitCase{name: "more findings", element: "failure", kind: "notprinted", message: line})
	}
	for i, note := range s.Notes {
		j.add(junitCase{name: fmt.Sprintf("note %d", i+1), element: "skipped", message: show(note)})
	}
	for _, u := range s.Unreadable {
		j.add(junitCase{name: showFile(u.File), element: "error", kind: "unreadable", message: show(u.Error)})
	}
	if more := s.UnreadableCount - len(s.Unreadable); more > 0 {
		j.add(junitCase{name: "more inputs", element: "error", kind: "unreadable",
			message: inputCount(&s, more, "more ") + " could not be " + readVerb(&s)})
	}
	for _, n := range s.NotJudged {
		c := junitCase{name: showFile(n.File), element: "skipped", message: "skipped: " + skipName(n.Reason)}
		switch n.Reason {
		case rules.SkipBroken, rules.SkipUntyped, rules.SkipPatch:
			continue // not skipped silently: these documents have findings, or are checked elsewhere
		case rules.SkipTooLarge:
			c.element, c.kind = "error", n.Reason
		}
		if n.Line > 0 {
			c.name += fmt.Sprintf(" at line %d", n.Line)
		}
		if n.Detail != "" {
			c.message += " (" + show(n.Detail) + ")"
		}
		j.add(c)
	}
	for i := range s.Unchecked.Kinds {
		k := &s.Unchecked.Kinds[i]
		j.add(junitCase{name: uncheckedName(k), element: "skipped", message: uncheckedKind(k)})
	}
	if j.total == 0 && len(j.cases) == 0 {
		j.add(junitCase{name: noFindings(&s)})
	}
}

// xmlText escapes a text for XML. package quote has already escaped the characters that
// XML 1.0 forbids.
func xmlText(s string) string {
	if !strings.ContainsAny(s, `<>&"'`) {
		return s
	}
	var b bytes.Buffer
	// A bytes.Buffer returns no errors.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
