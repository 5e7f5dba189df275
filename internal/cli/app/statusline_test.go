package app

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestStatusLine checks that a short run shows nothing, and that a longer run removes its
// line.
func TestStatusLine(t *testing.T) {
	var out bytes.Buffer
	NewStatusLine(&out, true).Show(func(time.Duration) string { return "working" })()
	NewStatusLine(&out, false).Show(func(time.Duration) string { return "working" })()
	(&StatusLine{}).Show(nil)()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}

	line := &StatusLine{w: &out, period: time.Nanosecond}
	drawn := make(chan bool, 1)
	stop := line.Show(func(time.Duration) string {
		select {
		case drawn <- true:
		default:
		}
		return "working"
	})
	<-drawn
	<-drawn // the first text is on the terminal
	stop()
	stop()
	if got := out.String(); !strings.HasPrefix(got, "\rworking\x1b[K") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
}

// TestOverLine checks that the line and other output on the terminal do not mix.
func TestOverLine(t *testing.T) {
	var out bytes.Buffer
	line := &StatusLine{w: &out}
	findings := &overLine{line, &out}
	line.draw("working")
	findings.Write([]byte("a.yaml: err"))
	line.draw("not in the middle of a line")
	findings.Write([]byte("or\n"))
	line.draw("still working")
	line.erase()
	findings.Write(nil)
	findings.Write([]byte("b.yaml: error\n"))
	const erase = "\r\x1b[K"
	if got, want := out.String(), "\rworking\x1b[K"+erase+"a.yaml: error\n\rstill working\x1b[K"+erase+"b.yaml: error\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
