package auditfollow

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

const (
	// headSize is the number of bytes at the beginning of a file that identify it.
	headSize = 4 << 10
	// certain is the number of bytes that identify a file without its inode: the first
	// event has its ID in them.
	certain = 256
	// maxGone bounds the positions of files that are read completely and gone. They
	// could come back, compressed.
	maxGone = 1024
)

// identity recognises a file after it was renamed, copied or compressed. The zero value
// is that of an empty file on a system without inodes.
type identity struct {
	// Size is the number of hashed bytes, at most headSize.
	Size  int    `json:"size"`
	Hash  []byte `json:"hash"`
	Inode uint64 `json:"inode,omitempty"`
}

// identify returns the identity of a file by its beginning. inode may be 0.
func identify(head []byte, inode uint64) identity {
	head = head[:min(len(head), headSize)]
	sum := sha256.Sum256(head)
	return identity{Size: len(head), Hash: sum[:16], Inode: inode}
}

// is reports whether a file with this head and inode has the identity.
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

// position is how far a file was read.
type position struct {
	identity
	// Log is the path that the file had.
	Log string `json:"log"`
	// Offset counts bytes and Lines line breaks, of the decompressed text. Seen is the
	// size that the text had at least.
	Offset int64 `json:"offset"`
	Lines  int   `json:"lines"`
	Seen   int64 `json:"seen"`
	// Skip is set in the middle of a line that is too long.
	Skip bool `json:"skip,omitempty"`
	// Done is set if nothing more is read from the file.
	Done bool `json:"done,omitempty"`
}

// table has the positions in all files.
type table struct{ all []*position }

// find returns the position in a file, nil for an unknown one.
func (t *table) find(head []byte, inode uint64) *position {
	var best *position
	for _, p := range t.all {
		if (best == nil || p.Size > best.Size) && p.is(head, inode) {
			best = p
		}
	}
	return best
}

// add adds the beginning of a file.
func (t *table) add(log string, head []byte, inode uint64) *position {
	p := &position{identity: identify(head, inode), Log: log}
	t.all = append(t.all, p)
	return p
}

// remove removes a position.
func (t *table) remove(p *position) {
	t.all = slices.DeleteFunc(t.all, func(q *position) bool { return p == q })
}

// forget removes the oldest positions in files of a log that are done and not present,
// if there are many.
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
