package lintrun

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/app"
)

// spool makes an input that can be read once, such as a pipe, one that can be
// read again and again: what was read is kept, in memory up to a bound and
// beyond that in a temporary file. Readers of it take turns; each begins at
// the start, and what no reader before it came to is read from the source.
type spool struct {
	name string
	open func() (io.ReadCloser, error)
	// memory is the bound.
	memory int

	mu     sync.Mutex
	source io.ReadCloser
	kept   []byte   // the beginning
	file   *os.File // what follows it; nil where there is none
	stored int64    // bytes in the file
	ended  error    // the source's last error, io.EOF at its end
}

// spoolMemory is what a spool keeps in memory: most of what is piped into a
// linter is smaller.
const spoolMemory = 16 << 20

func newSpool(name string, open func() (io.ReadCloser, error)) *spool {
	return &spool{name: name, open: open, memory: spoolMemory}
}

// Open gives a reader from the start.
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

// Close drops what was kept.
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
		// Where a file in use cannot be removed it is still there.
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
			return fmt.Errorf("keeping %s to read it twice: %w", s.name, app.Cause(err))
		}
		s.file = file
		// Without a name it goes with the process, however that ends. Some
		// systems refuse; there Close removes it.
		_ = os.Remove(file.Name())
	}
	if _, err := s.file.WriteAt(p, s.stored); err != nil {
		return fmt.Errorf("keeping %s to read it twice: %w", s.name, app.Cause(err))
	}
	s.stored += int64(len(p))
	return nil
}
