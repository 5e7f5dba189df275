package report

import (
	"bufio"
	"io"

	"github.com/kubevet/kubevet/rules"
)

// jsonLines is the format jsonl. Each line is a finding, and the last line is {"summary":
// {...}}. A report without its last line is incomplete. The schema of a line is #record
// in schema/findings.schema.json.
type jsonLines struct {
	w *bufio.Writer
}

func newJSONLines(w io.Writer, _ Options) Report {
	return &jsonLines{w: newWriter(w)}
}

func (j *jsonLines) Finding(f rules.Finding) error {
	keepRelated(&f)
	return j.line(&f)
}

func (j *jsonLines) line(v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	j.w.Write(line)
	return j.w.WriteByte('\n')
}

func (j *jsonLines) Close(s *rules.Summary) error {
	err := j.line(struct {
		Summary rules.Summary `json:"summary"`
	}{completeSummary(s)})
	if err != nil {
		return err
	}
	return j.w.Flush()
}
