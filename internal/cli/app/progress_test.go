package app

import (
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
		{5 << 30, 10 * time.Second, "5 GiB read, 512 MiB/s"}, // the file grew during the run
	} {
		if got := p.text(c.read, c.spent); !strings.HasPrefix(got, c.want) {
			t.Errorf("%d after %v: %q, want %q", c.read, c.spent, got, c.want)
		}
	}
}

func TestStepText(t *testing.T) {
	for _, c := range []struct {
		total int
		done  int64
		want  string
	}{
		{3000, 0, "[                        ] linting: 0 of 3000 files"},
		{3000, 1500, "[============            ] linting: 1500 of 3000 files"},
		{3000, 3001, "linting, 2s"}, // one more input than total
		{1, 1, "linting, 2s"},
		{0, 7, "linting, 2s"},
	} {
		if got := (&Step{name: "linting", total: int64(c.total)}).text(c.done, 2900*time.Millisecond); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.done, c.total, got, c.want)
		}
	}
}
