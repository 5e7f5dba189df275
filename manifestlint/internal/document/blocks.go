package document

import (
	"bytes"
	"io"
	"slices"
)

// BlockSize is the size of a block in bytes: large enough that passing one to
// another goroutine costs nothing compared with checking it.
const BlockSize = 1 << 20

// BlockReader splits a stream into blocks of whole documents, so that a
// stream of any length is checked in bounded memory.
type BlockReader struct {
	r    io.Reader
	max  int    // size of the largest document
	rest []byte // was read, but not returned yet
	json bool   // values follow each other without markers
	eof  bool
}

// NewBlockReader returns a reader of UTF-8. head is what was already read of
// the stream; maxDocument is the size of the largest document in bytes.
func NewBlockReader(head []byte, r io.Reader, maxDocument int) *BlockReader {
	return &BlockReader{r: r, max: maxDocument, rest: head, json: IsJSON(head)}
}

// Block is a piece of a stream.
type Block struct {
	Data []byte
	// TooLarge means a document over the limit, without Data.
	TooLarge bool
	// Lines is the number of lines of a document over the limit.
	Lines int
}

// Next returns the next block, which owns its memory. It returns io.EOF at the
// end. An error of the stream comes with the data before it.
func (b *BlockReader) Next() (Block, error) {
	buf := append(make([]byte, 0, BlockSize+len(b.rest)), b.rest...)
	b.rest = nil
	scan := jsonScan{}
	searched := 0
	for {
		var err error
		if buf, err = b.fill(buf); err != nil {
			return Block{Data: buf}, err
		}
		if b.eof {
			if len(buf) == 0 {
				return Block{}, io.EOF
			}
			return Block{Data: buf}, nil
		}
		cut := lastMarker(buf, searched)
		searched = len(buf)
		if cut <= 0 && b.json {
			cut = scan.lastValueEnd(buf)
		}
		if cut > 0 {
			b.rest = bytes.Clone(buf[cut:])
			return Block{Data: buf[:cut]}, nil
		}
		if len(buf) > b.max {
			return b.skip(buf)
		}
	}
}

// fill reads until the buffer is full, after it was enlarged if it was full
// before.
func (b *BlockReader) fill(buf []byte) ([]byte, error) {
	if b.eof {
		return buf, nil
	}
	if len(buf) == cap(buf) {
		buf = slices.Grow(buf, max(BlockSize, min(len(buf), b.max+BlockSize-len(buf))))
	}
	n, err := io.ReadFull(b.r, buf[len(buf):cap(buf)])
	buf = buf[:len(buf)+n]
	b.eof = err != nil
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf, err
}

// skip reads up to the marker behind a document over the limit. It counts the lines, so
// that later positions stay right.
func (b *BlockReader) skip(buf []byte) (Block, error) {
	lines := bytes.Count(buf, []byte{'\n'})
	const overlap = 4 // the end of the buffer may split a marker
	for {
		kept := copy(buf, buf[max(0, len(buf)-overlap):])
		n, err := io.ReadFull(b.r, buf[kept:BlockSize])
		buf = buf[:kept+n]
		b.eof = err != nil
		if at := nextMarker(buf, 0, '-'); at >= 0 && (b.eof || at+3 < len(buf)) {
			lines += bytes.Count(buf[kept:max(at, kept)], []byte{'\n'})
			b.rest = bytes.Clone(buf[at:])
			b.json = false
			return Block{TooLarge: true, Lines: lines}, nil
		}
		lines += bytes.Count(buf[kept:], []byte{'\n'})
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return Block{TooLarge: true, Lines: lines}, nil
		default:
			return Block{TooLarge: true, Lines: lines}, err
		}
	}
}

// lastMarker returns the offset of the last line that begins a document,
// unless it is the first line; -1 if there is none. The first bytes, up to
// searched, are known to have none.
func lastMarker(buf []byte, searched int) int {
	needle := []byte("\n---")
	from := max(0, searched-len(needle))
	if !bytes.Contains(buf[from:], needle) {
		return -1 // faster than LastIndex
	}
	end := len(buf)
	for {
		at := bytes.LastIndex(buf[from:end], needle)
		if at < 0 {
			return -1
		}
		// The byte behind the dashes decides whether they are a marker.
		if at += from; at+len(needle) < len(buf) && isMarker(buf[at+1:], '-') {
			return at + 1
		}
		end = at + len(needle) - 1
	}
}

// jsonScan finds the ends of the values of a JSON stream without parsing them.
type jsonScan struct {
	pos, depth      int
	inString, slash bool
	last            int
}

// lastValueEnd returns the offset behind the last complete value, or -1. Each
// call may pass a longer text.
func (s *jsonScan) lastValueEnd(buf []byte) int {
	for ; s.pos < len(buf); s.pos++ {
		switch c := buf[s.pos]; {
		case s.slash:
			s.slash = false
		case s.inString:
			s.slash = c == '\\'
			s.inString = c != '"'
		case c == '"':
			s.inString = true
		case c == '{', c == '[':
			s.depth++
		case c == '}', c == ']':
			if s.depth--; s.depth == 0 {
				s.last = s.pos + 1
			}
		}
	}
	if s.last == 0 {
		return -1
	}
	return s.last
}
