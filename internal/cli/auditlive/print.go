package auditlive

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/quote"
)

// Print writes each finding as one line, in text or in JSON.
func Print(w io.Writer, news []auditreport.News, asJSON bool) error {
	for _, n := range news {
		line := []byte(quote.Text(fmt.Sprintf("%s %s: %s: %s", orDash(n.Time), n.Severity, n.Rule, n.Message)))
		if asJSON {
			var err error
			if line, err = quote.JSON(n, func(e *json.Encoder) { e.SetEscapeHTML(false) }); err != nil {
				return err
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// orDash returns "-" for an empty string.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
