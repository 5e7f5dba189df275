package manifestlint

import (
	"bytes"
	"io"
	"slices"
)

// blockSize is how much of an input is judged at a time: enough that handing
// it to another goroutine costs nothing beside judging it.
const blockSize = 1 << 20

// blockReader cuts a stream into blocks that hold whole documents, so that a
// stream of any length is judged in bounded memory.
type blockReader struct {
	r    io.Reader
	max  int    // largest document
	rest []byte // read, and not yet given
	json bool   // values follow each other without markers
	eof  bool
	left int64 // how much there is that was not given, as far as that is known; or 0
	// spare are blocks that were judged and of which nothing is kept: the next
	// ones take their memory.
	spare chan []byte
}

// newBlockReader reads a stream of UTF-8. head is what was read of it.
func newBlockReader(head []byte, r io.Reader, max int) *blockReader {
	return &blockReader{r: r, max: max, rest: head, json: isJSONStream(head), spare: make(chan []byte, maxWaiting)}
}

// block is a piece of a stream.
type block struct {
	data []byte
	// tooLarge stands for a document over the limit, which has lines lines.
	tooLarge bool
	lines    int
}

// release gives a block back. It may be called while the next ones are read.
func (b *blockReader) release(data []byte) {
	select {
	case b.spare <- data:
	default:
	}
}

// room gives memory for a block that begins with n bytes.
func (b *blockReader) room(n int) []byte {
	const slack = blockSize / 8 // what is left of a block is a document or so
	select {
	case buf := <-b.spare:
		if cap(buf) >= blockSize+n {
			return buf[:0]
		}
	default:
	}
	return make([]byte, 0, blockSize+max(n, slack))
}

// next gives the next block, in memory that is its own until it is released. It
// ends with io.EOF; an error from the stream comes after what could be read.
func (b *blockReader) next() (block, error) {
	buf := b.room(len(b.rest))
	buf = append(buf, b.rest...)
	b.rest = nil
	scan := jsonScan{}
	searched := 0
	for {
		if !b.eof {
			if len(buf) == cap(buf) {
				buf = slices.Grow(buf, b.more(len(buf)))
			}
			n, err := io.ReadFull(b.r, buf[len(buf):cap(buf)])
			buf = buf[:len(buf)+n]
			switch err {
			case nil:
			case io.EOF, io.ErrUnexpectedEOF:
				b.eof = true
			default:
				b.eof = true
				return block{data: buf}, err
			}
		}
		if b.eof {
			if len(buf) == 0 {
				return block{}, io.EOF
			}
			return block{data: buf}, nil
		}
		cut := lastMarker(buf, searched)
		searched = len(buf)
		if cut <= 0 && b.json {
			cut = scan.lastValueEnd(buf)
		}
		if cut > 0 {
			b.rest = bytes.Clone(buf[cut:])
			b.left -= int64(cut)
			return block{data: buf[:cut]}, nil
		}
		if len(buf) > b.max {
			return b.skip(buf)
		}
	}
}

// more is how much memory a document gets that has filled its own: what is left to
// read, or as much again.
func (b *blockReader) more(has int) int {
	if b.left > int64(has) && b.left <= int64(b.max) {
		return int(b.left) - has + 1 // by which the end shows
	}
	return max(blockSize, min(has, b.max+blockSize-has))
}

// skip reads to the end of a document that is over the limit: to the next
// marker. It keeps the count of its lines, so that the places of what follows
// stay right.
func (b *blockReader) skip(buf []byte) (block, error) {
	b.left = 0
	lines := bytes.Count(buf, []byte{'\n'})
	const overlap = 4 // a marker may be cut by the end of the buffer
	for {
		kept := copy(buf, buf[max(0, len(buf)-overlap):])
		n, err := io.ReadFull(b.r, buf[kept:blockSize])
		buf = buf[:kept+n]
		b.eof = err != nil
		if at := nextMarker(buf, 0, '-'); at >= 0 && (b.eof || at+3 < len(buf)) {
			lines += bytes.Count(buf[kept:max(at, kept)], []byte{'\n'})
			b.rest = bytes.Clone(buf[at:])
			b.json = false
			return block{tooLarge: true, lines: lines}, nil
		}
		lines += bytes.Count(buf[kept:], []byte{'\n'})
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return block{tooLarge: true, lines: lines}, nil
		default:
			return block{tooLarge: true, lines: lines}, err
		}
	}
}

// lastMarker finds the last line of a text that begins a document and is not
// its first line; -1 if there is none. There was none among the first bytes, those up
// to searched.
func lastMarker(buf []byte, searched int) int {
	needle := []byte("\n---")
	// What follows the dashes must have been read to tell.
	from := max(0, searched-len(needle))
	if !bytes.Contains(buf[from:], needle) {
		return -1 // to look from the end takes longer where there is none
	}
	end := len(buf)
	for {
		at := bytes.LastIndex(buf[from:end], needle)
		if at < 0 {
			return -1
		}
		if at += from; at+len(needle) < len(buf) && markerAt(buf[at+1:], '-') {
			return at + 1
		}
		end = at + len(needle) - 1
	}
}

// jsonScan finds where the values of a JSON stream end without parsing them.
type jsonScan struct {
	pos, depth int
	str, esc   bool
	last       int
	values     int // complete ones
}

// lastValueEnd gives the offset after the last complete value; -1 if there is
// none. A longer text may be given next time.
func (s *jsonScan) lastValueEnd(buf []byte) int {
	i := s.pos
	for i < len(buf) {
		if s.esc {
			s.esc = false
			i++
			continue
		}
		if s.str {
			if i = indexAny2(buf, i, '"', '\\'); i < len(buf) {
				s.esc = buf[i] == '\\'
				s.str = s.esc
				i++
			}
			continue
		}
		switch buf[i] {
		case ' ':
			i = skipSpaces(buf, i)
			continue
		case '"':
			s.str = true
		case '{', '[':
			s.depth++
		case '}', ']':
			if s.depth--; s.depth == 0 {
				s.last = i + 1
				s.values++
			}
		}
		i++
	}
	s.pos = i
	if s.last == 0 {
		return -1
	}
	return s.last
}
