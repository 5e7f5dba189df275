package app

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// Progress is a line on a terminal that shows how much of the input is read. It
// appears after a moment, so that a short run shows nothing.
type progress struct {
	w       io.Writer
	total   int64
	read    atomic.Int64
	started time.Time
	stop    chan struct{}
	stopped chan struct{}
}

// NewProgress starts a progress line; without show, one that stays invisible. total
// is 0 if it is not known.
func NewProgress(w io.Writer, total int64, show bool) *progress {
	p := &progress{w: w, total: total, started: time.Now()}
	if !show {
		return p
	}
	p.stop, p.stopped = make(chan struct{}), make(chan struct{})
	go p.run()
	return p
}

// Add records n more bytes read. It is safe for concurrent use.
func (p *progress) Add(n int64) { p.read.Add(n) }

// Done removes the line.
func (p *progress) Done() {
	if p.stop != nil {
		close(p.stop)
		<-p.stopped
	}
}

func (p *progress) run() {
	defer close(p.stopped)
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	shown := false
	for {
		select {
		case <-p.stop:
			if shown {
				fmt.Fprint(p.w, "\r\x1b[K")
			}
			return
		case <-tick.C:
			shown = true
			fmt.Fprintf(p.w, "\r%s\x1b[K", p.text(p.read.Load(), time.Since(p.started)))
		}
	}
}

// text returns the line after some bytes and some time.
func (p *progress) text(read int64, spent time.Duration) string {
	rate := float64(read) / max(spent.Seconds(), 1e-3)
	if p.total <= 0 || read > p.total {
		return fmt.Sprintf("%s read, %s/s", bytesText(float64(read)), bytesText(rate))
	}
	const width = 24
	done := int(float64(width) * float64(read) / float64(p.total))
	left := time.Duration(float64(p.total-read) / max(rate, 1) * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("[%s%s] %s of %s, %s/s, %s left", strings.Repeat("=", done), strings.Repeat(" ", width-done),
		bytesText(float64(read)), bytesText(float64(p.total)), bytesText(rate), left)
}

// bytesText returns a size with its unit.
func bytesText(n float64) string {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 1024 {
			return fmt.Sprintf("%.3g %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.3g TiB", n)
}
