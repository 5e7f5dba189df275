package lintrun

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
)

// spool stores an input that can be read only once, such as a pipe, so that it can be
// read many times. The first bytes are in memory, the others in a temporary file. Each
// reader begins at the start of the input.
type spool struct {
	name string
	open func() (io.ReadCloser, error)
	// memory is the maximal number of bytes in memory.
	memory int

	mu     sync.Mutex
	source io.ReadCloser
	head   []byte   // the first bytes of the input
	file   *os.File // has the bytes after head; nil if there are none
	stored int64    // number of bytes in file
	err    error    // the last error of the source, io.EOF at its end
}

// spoolMemory is the number of bytes that a spool has in memory (16 MiB). Most piped
// inputs are smaller.
const spoolMemory = 16 << 20

func newSpool(name string, open func() (io.ReadCloser, error)) *spool {
	return &spool{name: name, open: open, memory: spoolMemory}
}

// Open returns a reader that begins at the start of the input.
func (s *spool) Open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.source == nil && s.err == nil {
		source, err := s.open()
		if err != nil {
			return nil, err
		}
		s.source = source
	}
	return &spoolReader{s: s}, nil
}

// Close removes the temporary file.
func (s *spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.source != nil {
		errs = append(errs, s.source.Close())
		s.source = nil
	}
	if s.file != nil {
		errs = append(errs, s.file.Close())
		// Some systems do not remove an open file, so the file may still exist.
		if err := os.Remove(s.file.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
		s.file = nil
	}
	s.head, s.err = nil, os.ErrClosed
	return errors.Join(errs...)
}

// spoolReader reads a spool from the start. A spool may have several readers.
type spoolReader struct {
	s  *spool
	at int64
}

func (r *spoolReader) Read(p []byte) (int, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	n, err := r.s.readAt(p, r.at)
	r.at += int64(n)
	return n, err
}

func (r *spoolReader) Close() error { return nil }

func (s *spool) readAt(p []byte, at int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if at < int64(len(s.head)) {
		return copy(p, s.head[at:]), nil
	}
	if off := at - int64(len(s.head)); off < s.stored {
		n, err := s.file.ReadAt(p[:min(int64(len(p)), s.stored-off)], off)
		if n > 0 {
			err = nil
		}
		return n, err
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.source.Read(p)
	if kept := s.store(p[:n]); kept != nil {
		return 0, kept
	}
	if err != nil {
		s.err = err
	}
	if n > 0 {
		err = nil
	}
	return n, err
}

func (s *spool) store(p []byte) error {
	if s.file == nil {
		if len(s.head)+len(p) <= s.memory {
			s.head = append(s.head, p...)
			return nil
		}
		file, err := os.CreateTemp("", "kubevet-*")
		if err != nil {
			return fmt.Errorf("keeping %s to read it twice: %w", quote.Name(s.name), app.Cause(err))
		}
		s.file = file
		// Removing the open file makes it disappear when the process ends. If the system
		// refuses this, Close removes the file.
		_ = os.Remove(file.Name())
	}
	if _, err := s.file.WriteAt(p, s.stored); err != nil {
		return fmt.Errorf("keeping %s to read it twice: %w", quote.Name(s.name), app.Cause(err))
	}
	s.stored += int64(len(p))
	return nil
}
