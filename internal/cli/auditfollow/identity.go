package auditfollow

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
)

const (
	// headSize is the maximal number of bytes at the beginning of a file that identify
	// the file.
	headSize = 4 << 10
	// certain is the number of bytes that identify a file without its inode. They contain
	// the ID of the first event.
	certain = 256
	// maxGone is the maximal number of positions in files that were read completely and
	// do not exist any more. Such a file may appear again in compressed form.
	maxGone = 1024
)

// identity recognises a file after it was renamed, copied or compressed. The zero value
// is the identity of an empty file on a system without inodes.
type identity struct {
	// Size is the number of bytes in Hash, at most headSize.
	Size  int    `json:"size"`
	Hash  []byte `json:"hash"`
	Inode uint64 `json:"inode,omitempty"`
}

// identify returns the identity of a file from the beginning of its text. inode is 0 if
// it is unknown.
func identify(head []byte, inode uint64) identity {
	head = head[:min(len(head), headSize)]
	sum := sha256.Sum256(head)
	return identity{Size: len(head), Hash: sum[:16], Inode: inode}
}

// is reports whether a file with this head and inode is the file with the identity i.
func (i *identity) is(head []byte, inode uint64) bool {
	same := i.Inode != 0 && i.Inode == inode
	if i.Size == 0 {
		return same
	}
	if len(head) < i.Size || i.Size < certain && !same {
		return false
	}
	return bytes.Equal(i.Hash, identify(head[:i.Size], 0).Hash)
}

// valid reports whether a position from a state file can be used.
func (p *position) valid() bool {
	return p.Offset >= 0 && p.Lines >= 0 && p.Size >= 0 && p.Size <= headSize && p.Resume.Valid()
}

// position says how far a file was read.
type position struct {
	identity
	// Log is the path of the log that the file belongs to.
	Log string `json:"log"`
	// Offset is the number of bytes of the decompressed text that were read, and Lines
	// the number of line breaks in them. Seen is the largest known size of the text in
	// bytes.
	Offset int64 `json:"offset"`
	Lines  int   `json:"lines"`
	Seen   int64 `json:"seen"`
	// Encoding is the encoding of the text, and Resume the state of reading it.
	Encoding auditlog.Encoding `json:"encoding,omitempty"`
	Resume   auditlog.Resume   `json:"resume,omitzero"`
	// Skip is true if Offset is in the middle of a line that is too long.
	Skip bool `json:"skip,omitempty"`
	// Done is true if no more text will be read from the file.
	Done bool `json:"done,omitempty"`
}

// table has the positions in all files.
type table struct{ all []*position }

// find returns the position in the file with this head and inode. It returns nil for an
// unknown file.
func (t *table) find(head []byte, inode uint64) *position {
	var best *position
	for _, p := range t.all {
		if (best == nil || p.Size > best.Size) && p.is(head, inode) {
			best = p
		}
	}
	return best
}

// add adds a position at the start of a file.
func (t *table) add(log string, head []byte, inode uint64) *position {
	p := &position{identity: identify(head, inode), Log: log}
	// A file without a header has the columns of the file before it.
	for _, q := range t.all {
		if q.Log == log && q.Resume.Columns != nil {
			p.Resume.Columns, p.Resume.Comma = q.Resume.Columns, q.Resume.Comma
		}
	}
	t.all = append(t.all, p)
	return p
}

// remove removes a position.
func (t *table) remove(p *position) {
	t.all = slices.DeleteFunc(t.all, func(q *position) bool { return p == q })
}

// forget removes the oldest positions of a log if there are more than maxGone. It removes
// only positions in files that were read completely and are not in present.
func (t *table) forget(log string, present map[*position]bool) {
	gone := func(p *position) bool { return p.Log == log && p.Done && !present[p] }
	n := -maxGone
	for _, p := range t.all {
		if gone(p) {
			n++
		}
	}
	t.all = slices.DeleteFunc(t.all, func(p *position) bool {
		if n <= 0 || !gone(p) {
			return false
		}
		n--
		return true
	})
}
