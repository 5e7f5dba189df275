package auditlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// text is a text in an input: the input itself, or a file in an archive.
type text struct {
	name string
	head []byte // the beginning of the text
}

// file is an input while it is read.
type file[P any] struct {
	input Input
	tasks chan *task[P] // in order; closed at the end
	bytes int64
	// The other fields are valid after tasks is closed.
	err     error
	failed  []Failure // files in an archive that could not be read
	first   *text
	members int
	archive bool
}

// maxFailed is the largest number of unread files that are reported for one
// archive.
const maxFailed = 100

func (f *file[P]) read(ctx context.Context, o Options, pool *sync.Pool, work chan<- *task[P]) {
	defer close(f.tasks)
	defer func() {
		if r := recover(); r != nil {
			f.err = errors.New(bug(r))
		}
	}()
	raw, err := f.input.Open()
	if err != nil {
		f.err = err
		return
	}
	defer raw.Close()
	u := unpacker{
		text: func(member string, r io.Reader) error {
			return f.text(ctx, within(f.input.Name, member), r, pool, work)
		},
		fail: func(member string, err error) {
			if len(f.failed) < maxFailed {
				f.failed = append(f.failed, Failure{within(f.input.Name, member), readError(err)})
			}
		},
	}
	var r io.Reader = raw
	if o.Progress != nil {
		r = metered(raw, o.Progress)
	}
	if err := u.input(r); err != nil && !errors.Is(err, errStop) {
		f.err = readError(err)
	}
	f.members, f.archive = u.members, u.opened
}

// text reads one text in blocks. An error means that reading cannot continue.
func (f *file[P]) text(ctx context.Context, name string, r io.Reader, pool *sync.Pool, work chan<- *task[P]) error {
	counted := &counter{r: r}
	defer func() { f.bytes += counted.n }()
	x := &text{name: name}
	if f.first == nil {
		f.first = x
	}
	frames, head, err := newFramer(counted, f.input.Piece)
	if err != nil {
		return err
	}
	x.head = bytes.Clone(head[:min(len(head), maxLook)])
	for {
		t := pool.Get().(*task[P])
		t.text = x
		err := frames.next(&t.block)
		select {
		case f.tasks <- t:
		case <-ctx.Done():
			return errStop
		}
		work <- t
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return errStop
		}
	}
}

// looks describes an input without events.
func (f *file[P]) looks() string {
	switch {
	case f.archive && f.members == 0:
		return "is an archive without files"
	case f.archive && f.members > 1:
		return fmt.Sprintf("is an archive of %d files, none of which has one", f.members)
	case f.first == nil:
		return ""
	case f.archive:
		return "is an archive whose only file " + lookOf(f.first.head)
	}
	return lookOf(f.first.head)
}

// readError adds to an error why a stream ended too early.
func readError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the compressed text is cut off: %w", err)
	}
	return err
}

// metered returns a reader for r that calls progress with the numbers of bytes
// that were read. If r is a regularFile, the result is a regularFile too.
func metered(r io.Reader, progress func(int64)) io.Reader {
	m := meter{r, progress}
	if file, ok := r.(regularFile); ok {
		return &meteredFile{m, file}
	}
	return &m
}

// meteredFile is a regularFile that reports the number of bytes.
type meteredFile struct {
	meter
	file regularFile
}

// Stat returns the file's information.
func (m *meteredFile) Stat() (fs.FileInfo, error) { return m.file.Stat() }

// ReadAt reads bytes at an offset and reports their number.
func (m *meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.file.ReadAt(p, off)
	m.progress(int64(n))
	return n, err
}

type meter struct {
	io.Reader
	progress func(int64)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.progress(int64(n))
	return n, err
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// within returns the name of a file in an archive.
func within(archive, member string) string {
	if member == "" {
		return archive
	}
	return archive + "/" + member
}
