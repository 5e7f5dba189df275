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

// spool makes an input that can be read once, such as a pipe, readable many times.
// It keeps the text in memory and, beyond a bound, in a temporary file. Each
// reader begins at the start.
type spool struct {
	name string
	open func() (io.ReadCloser, error)
	// memory is the bound in bytes.
	memory int

	mu     sync.Mutex
	source io.ReadCloser
	kept   []byte   // the first bytes
	file   *os.File // the bytes after kept; nil if there are none
	stored int64    // bytes in the file
	ended  error    // the source's last error, io.EOF at its end
}

// spoolMemory is the memory of a spool. Most piped input is smaller.
const spoolMemory = 16 << 20

func newSpool(name string, open func() (io.ReadCloser, error)) *spool {
	return &spool{name: name, open: open, memory: spoolMemory}
}

// Open returns a reader from the start.
func (s *spool) Open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.source == nil && s.ended == nil {
		source, err := s.open()
		if err != nil {
			return nil, err
		}
		s.source = source
	}
	return &spoolReader{s: s}, nil
}

// Close removes the stored text.
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
		// Some systems do not remove an open file, so it may still exist.
		if err := os.Remove(s.file.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
		s.file = nil
	}
	s.kept, s.ended = nil, os.ErrClosed
	return errors.Join(errs...)
}

// spoolReader reads a spool from the start.
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
	if at < int64(len(s.kept)) {
		return copy(p, s.kept[at:]), nil
	}
	if off := at - int64(len(s.kept)); off < s.stored {
		n, err := s.file.ReadAt(p[:min(int64(len(p)), s.stored-off)], off)
		if n > 0 {
			err = nil
		}
		return n, err
	}
	if s.ended != nil {
		return 0, s.ended
	}
	n, err := s.source.Read(p)
	if kept := s.keep(p[:n]); kept != nil {
		return 0, kept
	}
	if err != nil {
		s.ended = err
	}
	if n > 0 {
		err = nil
	}
	return n, err
}

func (s *spool) keep(p []byte) error {
	if s.file == nil {
		if len(s.kept)+len(p) <= s.memory {
			s.kept = append(s.kept, p...)
			return nil
		}
		file, err := os.CreateTemp("", "kubevet-*")
		if err != nil {
			return fmt.Errorf("keeping %s to read it twice: %w", quote.Name(s.name), app.Cause(err))
		}
		s.file = file
		// Without a name the file disappears with the process. On systems that
		// refuse, Close removes it.
		_ = os.Remove(file.Name())
	}
	if _, err := s.file.WriteAt(p, s.stored); err != nil {
		return fmt.Errorf("keeping %s to read it twice: %w", quote.Name(s.name), app.Cause(err))
	}
	s.stored += int64(len(p))
	return nil
}
