package upgrade

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
)

// Look has the options of formats for people.
type Look struct {
	Color bool
	// Width is the width of the terminal in columns. 0 means no limit.
	Width int
	// If Verbose is true, the report shows all evidence.
	Verbose bool
	// Link returns the address of a line in a file, or "". If Link is nil, pages have no
	// links to files.
	Link func(file string, line int) string
	// RulePages is the address of the directory with the rule pages. If it is empty,
	// there are no links to rules.
	RulePages string
	// Version is the version of kubevet, or "" if unknown.
	Version string
	// Now is the time of the report, which pages and Markdown show.
	Now time.Time
}

// date returns the day of the report, such as "2026-01-31".
func (l *Look) date() string { return l.Now.UTC().Format(time.DateOnly) }

// Formats returns the names of all formats.
func Formats() []string { return []string{"text", "json", "html", "markdown"} }

// Write writes the report in one of the formats. It returns the errors of w, and an error
// for an unknown format.
func (r *Report) Write(format string, w io.Writer, l Look) error {
	b := bufio.NewWriter(w)
	var err error
	switch format {
	case "text":
		r.text(b, l)
	case "json":
		var text []byte
		text, err = quote.JSON(r, func(e *json.Encoder) { e.SetIndent("", "  ") })
		b.Write(append(text, '\n'))
	case "html":
		err = r.html(b, l)
	case "markdown":
		err = r.markdown(b, l)
	default:
		err = fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return err
	}
	return b.Flush()
}
