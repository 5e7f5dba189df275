package auditfollow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/treefile"
)

// file is an open file of a log.
type file struct {
	f     *os.File
	name  string
	info  fs.FileInfo
	inode uint64
	// head is the beginning of the text, zipped is set if the file is compressed.
	head   []byte
	zipped bool

	// pos is nil until the file is found in the table.
	pos *position
	// size is the size at the last look, -1 before the first one. The file has had it
	// since quiet.
	size  int64
	quiet time.Time
}

// openFile opens a file of a directory. The error is errUnready for a compressed file
// that is still being written.
func openFile(dir *os.Root, name string) (*file, error) {
	f, err := treefile.OpenIn(dir, name)
	if err != nil {
		return nil, err
	}
	x := &file{f: f, name: name, size: -1}
	if err := x.look(); err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

// errUnready is the error of a compressed file whose beginning cannot be read.
var errUnready = errors.New("its beginning cannot be decompressed")

// look reads the beginning of the file and its size.
func (x *file) look() (err error) {
	if x.info, err = x.f.Stat(); err != nil {
		return err
	}
	x.inode = inodeOf(x.info)
	raw, err := x.beginning()
	if err != nil {
		return err
	}
	text, err := x.text(0)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnready, err)
	}
	defer text.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(text, head)
	x.head = head[:n]
	if x.zipped = !bytes.Equal(x.head, raw); !x.zipped {
		return nil
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: %w", errUnready, err)
	}
	return nil
}

// beginning returns the first bytes of the file.
func (x *file) beginning() ([]byte, error) {
	head := make([]byte, min(headSize, x.info.Size()))
	n, err := x.f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return head[:n], nil
}

// text returns a reader of the decompressed text from an offset on.
func (x *file) text(offset int64) (io.ReadCloser, error) {
	text, err := auditlog.Decompress(io.NewSectionReader(x.f, 0, x.info.Size()))
	if err != nil {
		return nil, err
	}
	bounded := struct {
		io.Reader
		io.Closer
	}{&bounded{r: text, left: max(freeText, maxRatio*x.info.Size())}, text}
	if _, err := io.CopyN(io.Discard, bounded, offset); err != nil {
		text.Close()
		return nil, err
	}
	return bounded, nil
}

const (
	// The text of a compressed file may have freeText bytes, or maxRatio times the size
	// of the file if that is more. Audit logs have about 20 times.
	freeText = 1 << 30
	maxRatio = 1000
)

// bounded fails after a number of bytes.
type bounded struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("it expands to more than %d times its size", maxRatio)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// take assigns a position to the file. The identity of the position may become more
// certain.
func (x *file) take(pos *position) {
	x.pos = pos
	if len(x.head) > pos.Size {
		pos.identity = identify(x.head, x.inode)
	}
	if !x.zipped {
		pos.Inode = x.inode
	}
}

// errTruncated is the error of a file whose content does not match its position.
var errTruncated = errors.New("it was truncated")

// grow checks whether the file has more text. If so, from returns that text; otherwise
// from is nil.
func (x *file) grow(now time.Time) (from io.ReadCloser, err error) {
	if x.info, err = x.f.Stat(); err != nil {
		return nil, err
	}
	size := x.info.Size()
	if !x.zipped {
		head, err := x.beginning()
		if err != nil {
			return nil, err
		}
		if x.pos.Size > 0 && !x.pos.is(head, x.inode) {
			return nil, errTruncated
		}
		x.head = head
	}
	if x.pos.Done || size == x.size {
		return nil, nil
	}
	x.size, x.quiet = size, now
	if x.zipped {
		return x.text(x.pos.Offset)
	}
	if size <= x.pos.Offset {
		return nil, nil
	}
	x.take(x.pos)
	x.pos.Seen = max(x.pos.Seen, size)
	return io.NopCloser(io.NewSectionReader(x.f, x.pos.Offset, size-x.pos.Offset)), nil
}

// close closes the file.
func (x *file) close() { x.f.Close() }
