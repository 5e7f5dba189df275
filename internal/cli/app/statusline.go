package app

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// StatusLine is a line on a terminal that shows the progress of a run. It appears after
// one second and is removed at the end, so a short run shows nothing. The zero value
// shows nothing. The methods are safe for concurrent use.
type StatusLine struct {
	w io.Writer // nil if nothing is shown
	// delay is the time until the line appears. period is the time between updates.
	delay, period time.Duration

	mu sync.Mutex
	// drawn is true if the line is on the terminal. inLine is true if the terminal shows
	// an unfinished line of other output.
	drawn, inLine bool
}

// NewStatusLine returns a status line for the terminal w. If show is false, the line
// shows nothing.
func NewStatusLine(w io.Writer, show bool) *StatusLine {
	if !show {
		return &StatusLine{}
	}
	return &StatusLine{w: w, delay: time.Second, period: 250 * time.Millisecond}
}

// ShowsStatus reports whether a person reads standard error on a terminal. It returns
// false in a CI job, where the output of a terminal may only go to a log.
func (a *App) ShowsStatus() bool {
	return IsTerminal(a.Stderr) && a.getenv("TERM") != "dumb" && !a.inCI()
}

// Show updates the line regularly until stop is called. text returns the content of the
// line. spent is the time since the call of Show.
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

// draw replaces the text of the line, unless the terminal shows an unfinished line of
// other output.
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

// Over returns a writer for other output to w. If w is a terminal, the terminal may show
// the status line, so the writer removes the line before each write.
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
