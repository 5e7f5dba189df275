package app

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// ErrInterrupted is the cause of a context that a signal ended.
var ErrInterrupted = errors.New("interrupted")

// Interruptible returns a context and a function that releases it. The first interrupt,
// termination or hang-up of the terminal ends the context. A second signal ends the
// process at once.
func Interruptible() (context.Context, func()) {
	// Writing to a closed pipe must return an error and not end the process, because
	// another output may not be complete yet.
	signal.Ignore(brokenPipeSignals...)
	ctx, cancel := context.WithCancelCause(context.Background())
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore this signal
		signal.Notify(caught, syscall.SIGHUP)
	}
	go func() {
		if _, ok := <-caught; ok {
			signal.Stop(caught)
			cancel(ErrInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		signal.Reset(brokenPipeSignals...)
		close(caught)
		cancel(nil)
	}
}

// stoppable is a reader whose Read returns when its context is done. The underlying
// reader, such as a terminal, may still be waiting for input.
type stoppable struct {
	ctx    context.Context
	from   io.Reader
	blocks chan block
	free   chan []byte
	block  []byte // the block that was read last
	unread []byte // the part of block that was not returned yet
	err    error
}

type block struct {
	buf []byte
	n   int
	err error
}

// NewStoppable returns a reader of r that returns an error when ctx is done. The first
// Read starts a goroutine that reads r until its end. After ctx is done, the goroutine
// reads r at most once more.
func NewStoppable(ctx context.Context, r io.Reader) io.Reader {
	return &stoppable{ctx: ctx, from: r}
}

func (s *stoppable) Read(p []byte) (int, error) {
	if s.blocks == nil {
		s.start()
	}
	for len(s.unread) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if s.block != nil {
			s.free <- s.block // never blocks, because the channel has space for all buffers
			s.block = nil
		}
		select {
		case b := <-s.blocks:
			s.block, s.unread, s.err = b.buf, b.buf[:b.n], b.err
		case <-s.ctx.Done():
			s.err = context.Cause(s.ctx)
		}
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

func (s *stoppable) start() {
	const size, ahead = 256 << 10, 2
	s.blocks, s.free = make(chan block, ahead), make(chan []byte, ahead)
	for range ahead {
		s.free <- make([]byte, size)
	}
	go func() {
		for {
			var b block
			select {
			case b.buf = <-s.free:
			case <-s.ctx.Done():
				return
			}
			b.n, b.err = s.from.Read(b.buf)
			select {
			case s.blocks <- b:
			case <-s.ctx.Done():
				return
			}
			if b.err != nil {
				return
			}
		}
	}()
}
