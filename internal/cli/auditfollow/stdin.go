package auditfollow

import (
	"context"
	"io"

	"github.com/kubevet/kubevet/internal/quote"
)

// stdin is the log on standard input.
type stdin struct {
	log log
	pos position
	// blocks receives the text while it is read, and is closed at the end. It is nil if
	// standard input is not a log.
	blocks chan []byte
	// err is the error at the end of the input.
	err  error
	left []byte // an incomplete line
}

// readStdin begins to read standard input.
func (r *run) readStdin(ctx context.Context) *stdin {
	s := &stdin{log: log{Log: Log{Name: "-"}}}
	if r.Stdin == nil {
		return s
	}
	s.blocks = make(chan []byte)
	go func() {
		defer close(s.blocks)
		for {
			block := make([]byte, 256<<10)
			n, err := r.Stdin.Read(block)
			if n > 0 {
				select {
				case s.blocks <- block[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					s.err = err
				}
				return
			}
		}
	}()
	return s
}

// take counts a block. If end is true, it also counts the incomplete last line.
func (s *stdin) take(ctx context.Context, r *run, block []byte, end bool) error {
	s.left = append(s.left, block...)
	if end {
		s.blocks = nil
	}
	if s.pos.Done {
		s.left = nil
		return nil
	}
	used, err := r.feed(ctx, &s.log, &s.pos, s.left, end)
	s.left = append(s.left[:0], s.left[used:]...)
	if err == nil && end {
		err = s.err
		if err != nil {
			err = errRead{err}
		} else if !s.log.events && ctx.Err() == nil {
			r.incomplete = true
			r.Complain("%s ended without an audit event", quote.Name(s.log.Name))
		}
	}
	return s.log.failed(r, &s.pos, err)
}
