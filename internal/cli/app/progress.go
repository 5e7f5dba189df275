package app

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// progress shows on a status line how much of the input was read.
type progress struct {
	total int64
	read  atomic.Int64
	stop  func()
}

// NewProgress shows the progress on a status line until Done is called. total is the size
// of the input in bytes, or 0 if it is unknown.
func NewProgress(line *StatusLine, total int64) *progress {
	p := &progress{total: total}
	p.stop = line.Show(func(spent time.Duration) string { return p.text(p.read.Load(), spent) })
	return p
}

// Add adds n bytes that were read. It is safe for concurrent use.
func (p *progress) Add(n int64) { p.read.Add(n) }

// Done removes the status line.
func (p *progress) Done() { p.stop() }

func (p *progress) text(read int64, spent time.Duration) string {
	rate := float64(read) / max(spent.Seconds(), 1e-3)
	if p.total <= 0 || read > p.total {
		return fmt.Sprintf("%s read, %s/s", bytesText(float64(read)), bytesText(rate))
	}
	left := time.Duration(float64(p.total-read) / max(rate, 1) * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s %s of %s, %s/s, %s left", barText(read, p.total),
		bytesText(float64(read)), bytesText(float64(p.total)), bytesText(rate), left)
}

func barText(n, total int64) string {
	const width = 24
	done := int(width * float64(n) / float64(total))
	return "[" + strings.Repeat("=", done) + strings.Repeat(" ", width-done) + "]"
}

// bytesText returns a size in bytes with a suitable unit, such as "1.5 MiB".
func bytesText(n float64) string {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 1024 {
			return fmt.Sprintf("%.3g %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.3g TiB", n)
}
