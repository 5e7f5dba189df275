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
	// head is the beginning of the decompressed text. zipped is true if the file is
	// compressed.
	head   []byte
	zipped bool

	// pos is the position in the table for this file. It is nil until it was searched.
	pos *position
	// size is the size of the file at the last check, or -1 before the first check. quiet
	// is the time when the file reached this size.
	size  int64
	quiet time.Time
}

// openFile opens a file in a directory. The error is errUnready if the file is compressed
// and another program is still writing it.
func openFile(dir *os.Root, name string) (*file, error) {
	f, err := treefile.OpenIn(dir, name)
	if err != nil {
		return nil, err
	}
	x := &file{f: f, name: name, size: -1}
	if err := x.readHead(); err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

// errUnready is the error for a compressed file whose beginning cannot be decompressed
// yet.
var errUnready = errors.New("its beginning cannot be decompressed")

// readHead reads the size of the file and the beginning of its text.
func (x *file) readHead() (err error) {
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

// beginning returns the first bytes of the file, at most headSize.
func (x *file) beginning() ([]byte, error) {
	head := make([]byte, min(headSize, x.info.Size()))
	n, err := x.f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return head[:n], nil
}

// text returns a reader of the decompressed text. It begins at the offset.
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
	// freeText and maxRatio limit the decompressed text, as a protection against files that
	// expand extremely. The limit is freeText bytes or, if that is more, maxRatio times the
	// size of the file. The text of an audit log has about 20 times the size of its
	// compressed file.
	freeText = 1 << 30
	maxRatio = 1000
)

// bounded is a reader that returns an error after left bytes.
type bounded struct {
	r    io.Reader
	left int64
}

// Read reads from r.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("it expands to more than %d times its size", maxRatio)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// setPosition sets the position of the file. If more bytes of the file are known than
// before, it also updates the identity in the position.
func (x *file) setPosition(pos *position) {
	x.pos = pos
	if len(x.head) > pos.Size {
		pos.identity = identify(x.head, x.inode)
	}
	if !x.zipped {
		pos.Inode = x.inode
	}
}

// errTruncated is the error for a file that does not have the content that was read
// before.
var errTruncated = errors.New("it was truncated")

// newText returns a reader of the text that was added since the last read; nil if there is
// none.
func (x *file) newText(now time.Time) (from io.ReadCloser, err error) {
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
	x.setPosition(x.pos)
	x.pos.Seen = max(x.pos.Seen, size)
	return io.NopCloser(io.NewSectionReader(x.f, x.pos.Offset, size-x.pos.Offset)), nil
}

// close closes the file.
func (x *file) close() { x.f.Close() }
