package auditfollow

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// TestStdin follows standard input to its end.
func TestStdin(t *testing.T) {
	text := bytes.Join(recorded(t)[:200], nil)
	text = text[:len(text)-1]
	g := newRig(t)
	r, w := io.Pipe()
	g.run.logs, g.run.Stdin, g.run.now = nil, r, time.Now
	go func() {
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 1777)
			w.Write(rest[:n])
			rest = rest[n:]
		}
		w.Close()
	}()
	g.check(g.run.follow(t.Context()))
	g.check(g.run.end())
	g.name, g.texts = "-", []string{string(text)}
	g.compare()
	g.complains("read 200 events")

	g.run.Stdin = strings.NewReader("\x1f\x8bxxxxxxxxxxx")
	g.check(g.run.follow(t.Context()))
	if err := g.run.end(); err != ErrIncomplete {
		t.Error(err)
	}
	g.complains("-: it grows, but is compressed or an archive")
}
