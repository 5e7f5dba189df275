package chartworker

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
)

// TestMain makes the test binary behave as a worker if a pool starts it.
func TestMain(m *testing.M) {
	if Called(os.Args[1:]) {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// borrow returns a worker that answers.
func borrow(t *testing.T, p *Pool) *process {
	t.Helper()
	w, err := p.Borrow(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Call(&helmchart.Request{}, nil); err != nil {
		t.Fatal(err)
	}
	return w.(*process)
}

// TestBorrow checks that a returned worker is used again, unless it has ended.
func TestBorrow(t *testing.T) {
	p := NewPool(context.Background(), time.Minute, "--flag")
	defer p.Close()
	first := borrow(t, p)
	p.Return(first)
	again := borrow(t, p)
	if again != first {
		t.Error("a second process for charts one after the other")
	}
	if err := again.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Call(&helmchart.Request{}, nil); err == nil {
		t.Error("a process that has ended answers")
	}
	p.Return(again)
	if third := borrow(t, p); third == first {
		t.Error("the pool keeps a process that has ended")
	}
}

// TestLimit checks that a worker that does not answer is killed after the time limit.
func TestLimit(t *testing.T) {
	p := NewPool(context.Background(), time.Second, "--flag")
	defer p.Close()
	w := borrow(t, p)
	left := time.Duration(0)
	if _, err := w.Call(&helmchart.Request{}, &left); err == nil || !strings.Contains(err.Error(), "longer than 1s; --flag changes this") {
		t.Errorf("got %v", err)
	}
	if !w.ended.Load() || w.cmd.ProcessState == nil {
		t.Error("the process goes on")
	}
}

// TestEnd checks that busy workers end when the context ends.
func TestEnd(t *testing.T) {
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(context.Background())
	p := NewPool(ctx, 0, "--flag")
	w := borrow(t, p)
	cancel(over)
	if _, err := p.Borrow(nil); !errors.Is(err, over) {
		t.Errorf("got %v", err)
	}
	p.Close()
	if w.cmd.ProcessState == nil {
		t.Error("the process goes on")
	}
}

// TestParentGone checks that a worker ends after the process that started it, because its
// pipe is closed.
func TestParentGone(t *testing.T) {
	p := NewPool(context.Background(), 0, "--flag")
	defer p.Close()
	w := borrow(t, p)
	w.stdin.Close()
	ended := make(chan error, 1)
	go func() { ended <- w.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the process goes on")
	}
	w.once.Do(func() {})
}

// TestLongMessage checks that a message beyond the size limit is refused before it is
// read.
func TestLongMessage(t *testing.T) {
	var text strings.Builder
	if err := newEncoder(&text).encode(strings.Repeat("x", 100)); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := newDecoder(strings.NewReader(text.String()), 50).decode(&got); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
	if err := newDecoder(strings.NewReader(text.String()), 200).decode(&got); err != nil || len(got) != 100 {
		t.Errorf("got %q, %v", got, err)
	}
}
