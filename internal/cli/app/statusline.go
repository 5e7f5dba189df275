package app

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// StatusLine is a line on a terminal that shows the progress of a run. It appears after a
// second, so that a short run shows nothing, and is removed at the end. The zero
// value shows nothing. Its methods are safe for concurrent use.
type StatusLine struct {
	w io.Writer // nil if nothing is shown
	// delay is the time before the line appears, period the time between its changes.
	delay, period time.Duration

	mu sync.Mutex
	// drawn is set while the line is on the terminal, inLine while the terminal has
	// the beginning of a line of other output.
	drawn, inLine bool
}

// NewStatusLine returns a line on the terminal w; without show, one that shows
// nothing.
func NewStatusLine(w io.Writer, show bool) *StatusLine {
	if !show {
		return &StatusLine{}
	}
	return &StatusLine{w: w, delay: time.Second, period: 250 * time.Millisecond}
}

// ShowsStatus reports whether standard error is a terminal with a human reader.
// Some CI systems provide a terminal whose output is only kept in a log.
func (a *App) ShowsStatus() bool {
	return IsTerminal(a.Stderr) && a.getenv("TERM") != "dumb" && !a.inCI()
}

// Show shows what text returns for the time since the call, until stop is called.
func (l *StatusLine) Show(text func(spent time.Duration) string) (stop func()) {
	if l.w == nil {
		return func() {}
	}
	started := time.Now()
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		next := time.NewTimer(l.delay)
		defer next.Stop()
		for {
			select {
			case <-end:
				l.erase()
				return
			case <-next.C:
				l.draw(text(time.Since(started)))
				next.Reset(l.period)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(end)
		<-ended
	})
}

// draw replaces the line, unless that would break a line of other output.
func (l *StatusLine) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inLine {
		return
	}
	l.drawn = true
	fmt.Fprintf(l.w, "\r%s\x1b[K", text)
}

func (l *StatusLine) erase() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eraseLocked()
}

func (l *StatusLine) eraseLocked() {
	if l.drawn {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.drawn = false
	}
}

// Over returns a writer to w, which may be the same terminal. It removes the line
// before it writes.
func (l *StatusLine) Over(w io.Writer) io.Writer {
	if l.w == nil || !IsTerminal(w) {
		return w
	}
	return &overLine{l, w}
}

type overLine struct {
	line *StatusLine
	w    io.Writer
}

func (o *overLine) Write(p []byte) (int, error) {
	o.line.mu.Lock()
	defer o.line.mu.Unlock()
	o.line.eraseLocked()
	if len(p) > 0 {
		o.line.inLine = p[len(p)-1] != '\n'
	}
	return o.w.Write(p)
}
