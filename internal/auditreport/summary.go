package auditreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// WriteSummary writes a short summary of the run. It is meant for standard error.
func (d *Document) WriteSummary(w io.Writer, l Look) error {
	s := &d.Summary
	bold, reset := "", ""
	if l.Color {
		bold, reset = "\x1b[1;31m", "\x1b[0m"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s of %s, %s", times(s.Requests), report.Count(s.Events, "event"), report.Count(s.Inputs, "log"), size(s.Bytes))
	if s.First != "" {
		fmt.Fprintf(&b, ", from %s to %s", quote.Text(s.First), quote.Text(s.Last))
	}
	fmt.Fprintf(&b, "; target %s", quote.Text(s.Target))
	if s.Server != "" {
		fmt.Fprintf(&b, ", server %s", quote.Text(s.Server))
	}
	if s.Seconds > 0 {
		fmt.Fprintf(&b, " (%.1f s)", s.Seconds)
	}
	b.WriteByte('\n')
	var rest []string
	for _, x := range []struct {
		n    int64
		text string
	}{
		{s.Copies, "copies of events"}, {s.OpenWatches, "not ended when the log did"}, {s.Filtered, "left out by filters"}, {s.Foreign, "other records"},
	} {
		if x.n > 0 {
			rest = append(rest, fmt.Sprintf("%s: %d", x.text, x.n))
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(&b, "%s\n", strings.Join(rest, ", "))
	}
	if s.Incomplete() {
		fmt.Fprintf(&b, "%sincomplete:%s %s, %s not read to the end\n", bold, reset, report.Count(int(s.Damaged), "damaged record"), report.Count(len(s.Unreadable), "input"))
		for i, x := range s.Damage {
			if i == maxShortRows && !l.Verbose {
				fmt.Fprintf(&b, "  and %d more\n", s.Damaged-maxShortRows)
				break
			}
			place := quote.Name(x.File)
			if x.Line > 0 {
				place += fmt.Sprintf(":%d", x.Line)
				if x.Column > 0 {
					place += fmt.Sprintf(":%d", x.Column)
				}
			}
			fmt.Fprintf(&b, "  %s: %s\n", place, quote.Text(x.Text))
		}
		for _, u := range s.Unreadable {
			fmt.Fprintf(&b, "  %s: %s\n", quote.Name(u.File), quote.Text(quote.Within(u.Error, u.File)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// size returns a number of bytes as text with a unit.
func size(n int64) string {
	f := float64(n)
	for _, unit := range []string{"bytes", "KB", "MB"} {
		if f < 1000 {
			return fmt.Sprintf("%.3g %s", f, unit)
		}
		f /= 1000
	}
	return fmt.Sprintf("%.3g GB", f)
}
