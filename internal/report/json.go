package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// encode returns v as JSON on one line, without a line break. It keeps <, > and &
// unescaped, so that messages stay readable.
func encode(v any) ([]byte, error) {
	return quote.JSON(v, func(e *json.Encoder) { e.SetEscapeHTML(false) })
}

// completeSummary returns a copy of a summary in which empty lists and maps are not nil.
// So JSON has [] and {} instead of null.
func completeSummary(s *rules.Summary) rules.Summary {
	if s == nil {
		s = &rules.Summary{}
	}
	c := *s
	if c.Skipped == nil {
		c.Skipped = map[string]int{}
	}
	if c.Findings == nil {
		c.Findings = map[string]int{}
	}
	if c.Code != nil {
		code := *c.Code
		if code.Unknown == nil {
			code.Unknown = map[string]int{}
		}
		if code.UnresolvedCalls == nil {
			code.UnresolvedCalls = []rules.UnresolvedCall{}
		}
		if code.SkippedFunctions == nil {
			code.SkippedFunctions = []rules.SkippedFunction{}
		}
		c.Code = &code
	}
	if c.NotJudged == nil {
		c.NotJudged = []rules.NotJudged{}
	}
	c.Undecided.Reasons = c.Undecided.MostFrequent()
	c.Unchecked.Kinds = c.Unchecked.MostFrequent()
	for i := range c.Unchecked.Kinds {
		if c.Unchecked.Kinds[i].Places == nil {
			c.Unchecked.Kinds[i].Places = []rules.Place{}
		}
	}
	if c.Unreadable == nil {
		c.Unreadable = []rules.Unreadable{}
	}
	return c
}

// document is the format json: {"findings": [...], "summary": {...}}. Each finding is on
// its own line, so that reports can be compared by line. Findings are written as they
// arrive. The schema is schema/findings.schema.json.
type document struct {
	w           *bufio.Writer
	hasFindings bool // true after the first finding was written
}

func newJSON(w io.Writer, _ Options) Report { return NewJSON(w) }

// NewJSON returns a report in the format json. A program that calls only NewJSON is not
// linked with the code of the other formats.
func NewJSON(w io.Writer) Report { return &document{w: newWriter(w)} }

func (d *document) Finding(f rules.Finding) error {
	keepRelated(&f)
	line, err := encode(&f)
	if err != nil {
		return err
	}
	d.separate()
	_, err = d.w.Write(line)
	return err
}

// separate writes the comma before each finding except the first.
func (d *document) separate() {
	if d.hasFindings {
		d.w.WriteString(",\n")
	} else {
		d.w.WriteString("{\"findings\": [\n")
	}
	d.hasFindings = true
}

func (d *document) Close(s *rules.Summary) error {
	line, err := encode(completeSummary(s))
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, line, "", "  "); err != nil {
		return err
	}
	if d.hasFindings {
		d.w.WriteString("\n],\n")
	} else {
		d.w.WriteString("{\"findings\": [],\n")
	}
	d.w.WriteString("\"summary\": ")
	d.w.Write(indented.Bytes())
	d.w.WriteString("}\n")
	return d.w.Flush()
}
