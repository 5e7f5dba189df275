package manifestlint_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// endless is a reader of a text that repeats document.
type endless struct {
	document, rest string
	left           int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		if e.left == 0 {
			return 0, io.EOF
		}
		e.left--
		e.rest = e.document
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestMemoryOfFindings checks that a run does not keep findings. Memory in use
// must not depend on the length of the input or on the number of findings.
func TestMemoryOfFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 8 MB")
	}
	const n, maxLive = 100_000, 80 << 20
	target, err := lifecycle.NewTarget("1.30", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := manifestlint.New(manifestlint.Options{
		Target: target, Checks: checks.All(checks.NewSet(nil)), Workers: 2, Fixes: true,
		Enabled: func(rule string) bool { return rule == "removedapi" },
	})
	document := "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata:\n  name: " + strings.Repeat("x", 20) + "\n---\n"
	inputs := slices.Values([]manifestlint.Input{{
		Name: "many.yaml", Open: func() (io.ReadCloser, error) { return io.NopCloser(&endless{document: document, left: n}), nil },
	}})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, found := heap(), 0
	_, err = l.Run(context.Background(), inputs, func(rules.Finding) error {
		if found++; found%(n/4) == 0 {
			if now := heap(); now > before+maxLive {
				return fmt.Errorf("%d MiB are live after %d findings", (now-before)>>20, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if found < n {
		t.Errorf("%d findings, want %d", found, n)
	}
}
