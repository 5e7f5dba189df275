package app

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressText(t *testing.T) {
	p := &progress{total: 4 << 30}
	for _, c := range []struct {
		read  int64
		spent time.Duration
		want  string
	}{
		{0, time.Second, "[                        ] 0 B of 4 GiB"},
		{1 << 30, 2 * time.Second, "[======                  ] 1 GiB of 4 GiB, 512 MiB/s, 6s left"},
		{4 << 30, 8 * time.Second, "[========================] 4 GiB of 4 GiB, 512 MiB/s, 0s left"},
		{5 << 30, 10 * time.Second, "5 GiB read, 512 MiB/s"}, // the file has grown
	} {
		if got := p.text(c.read, c.spent); !strings.HasPrefix(got, c.want) {
			t.Errorf("%d after %v: %q, want %q", c.read, c.spent, got, c.want)
		}
	}
}

// TestProgress holds that a run which is over soon shows nothing, and that one
// which is not leaves nothing behind.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, 0, true)
	p.Add(5)
	p.Done()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
	p = NewProgress(&out, 0, false)
	p.Add(5)
	p.Done()
}
