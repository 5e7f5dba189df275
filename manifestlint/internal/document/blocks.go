package document

import (
	"bytes"
	"io"
	"slices"
)

// BlockSize is the size of a block in bytes. Checking a block takes much longer
// than passing it to another goroutine.
const BlockSize = 1 << 20

// BlockReader splits a stream into blocks of whole documents, so that a stream
// of any length can be checked in bounded memory.
type BlockReader struct {
	r           io.Reader
	maxDocument int    // largest size of a document in bytes
	unread      []byte // bytes that were read but not returned
	json        bool   // the stream has JSON values without markers between them
	eof         bool
}

// NewBlockReader returns a BlockReader for a stream in UTF-8. head are the
// bytes of the stream that were already read. maxDocument is the largest size
// of a document in bytes.
func NewBlockReader(head []byte, r io.Reader, maxDocument int) *BlockReader {
	return &BlockReader{r: r, maxDocument: maxDocument, unread: head, json: IsJSON(head)}
}

// Block is a part of a stream.
type Block struct {
	Data []byte
	// TooLarge is set if the block replaces a document over the limit. Data is
	// then nil.
	TooLarge bool
	// Lines is the number of lines in a document over the limit; 0 for other
	// blocks.
	Lines int
}

// Next returns the next block, whose memory is not reused. At the end of the
// stream it returns io.EOF. With another error, it returns the data before the
// error.
func (b *BlockReader) Next() (Block, error) {
	buf := append(make([]byte, 0, BlockSize+len(b.unread)), b.unread...)
	b.unread = nil
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
			b.unread = bytes.Clone(buf[cut:])
			return Block{Data: buf[:cut]}, nil
		}
		if len(buf) > b.maxDocument {
			return b.skipDocument(buf)
		}
	}
}

// fill reads until the buffer is full. It enlarges a buffer that is already
// full.
func (b *BlockReader) fill(buf []byte) ([]byte, error) {
	if b.eof {
		return buf, nil
	}
	if len(buf) == cap(buf) {
		buf = slices.Grow(buf, max(BlockSize, min(len(buf), b.maxDocument+BlockSize-len(buf))))
	}
	n, err := io.ReadFull(b.r, buf[len(buf):cap(buf)])
	buf = buf[:len(buf)+n]
	b.eof = err != nil
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf, err
}

// skipDocument reads to the next marker after a document over the limit. It
// counts the lines, so that later blocks have the right lines.
func (b *BlockReader) skipDocument(buf []byte) (Block, error) {
	lines := bytes.Count(buf, []byte{'\n'})
	const overlap = 4 // the buffer may end in the middle of a marker
	for {
		kept := copy(buf, buf[max(0, len(buf)-overlap):])
		n, err := io.ReadFull(b.r, buf[kept:BlockSize])
		buf = buf[:kept+n]
		b.eof = err != nil
		if at := nextMarker(buf, 0, '-'); at >= 0 && (b.eof || at+3 < len(buf)) {
			lines += bytes.Count(buf[kept:max(at, kept)], []byte{'\n'})
			b.unread = bytes.Clone(buf[at:])
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

// lastMarker returns the offset of the last line that begins a document, except
// the first line; -1 for none. It does not search the first bytes, whose number
// is in searched.
func lastMarker(buf []byte, searched int) int {
	needle := []byte("\n---")
	from := max(0, searched-len(needle))
	if !bytes.Contains(buf[from:], needle) {
		return -1 // Contains is faster than LastIndex
	}
	end := len(buf)
	for {
		at := bytes.LastIndex(buf[from:end], needle)
		if at < 0 {
			return -1
		}
		// The byte after the dashes decides whether the line is a marker.
		if at += from; at+len(needle) < len(buf) && isMarker(buf[at+1:], '-') {
			return at + 1
		}
		end = at + len(needle) - 1
	}
}

// jsonScan finds the ends of the JSON values in a stream without parsing the
// values.
type jsonScan struct {
	pos, depth      int
	inString, slash bool
	last            int
}

// lastValueEnd returns the offset after the last complete value; -1 for none.
// buf must begin with the text of the last call.
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
