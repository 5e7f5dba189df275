package manifestlint

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// packSize is how much text is compressed together: enough for what the texts
// have in common, and little to read for one of them.
const packSize = 64 << 10

// packs keep the texts of gathered objects, which are read once or twice more,
// in a fraction of their size: compressed, some dozens at a time. They are safe
// for concurrent use.
type packs struct {
	mu      sync.Mutex
	open    *pack // takes the next text
	deflate *flate.Writer
	inflate io.ReadCloser
	// room holds the text of the pack that was read last.
	last *pack
	room []byte
}

// pack are some texts one behind the other.
type pack struct {
	of       *packs
	text     []byte // as long as it is open
	deflated []byte // then
	size     int
}

// packedText is where the text of an object is.
type packedText struct {
	in       *pack
	at, size int
}

// add copies a text.
func (ps *packs) add(text []byte) *packedText {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.open
	if p == nil {
		p = &pack{of: ps, text: ps.room[:0]}
		ps.open, ps.last, ps.room = p, nil, nil
	}
	t := &packedText{in: p, at: p.size, size: len(text)}
	p.text = append(p.text, text...)
	if p.size = len(p.text); p.size >= packSize {
		ps.close(p)
	}
	return t
}

// close compresses a pack and takes back its memory.
func (ps *packs) close(p *pack) {
	var b bytes.Buffer
	b.Grow(p.size / 4)
	if ps.deflate == nil {
		ps.deflate, _ = flate.NewWriter(&b, flate.BestSpeed) // fails for another level only
	} else {
		ps.deflate.Reset(&b)
	}
	_, err := ps.deflate.Write(p.text)
	if err == nil {
		err = ps.deflate.Close()
	}
	ps.open = nil
	if err != nil {
		return // memory refuses nothing; the text stays as it is
	}
	p.deflated = bytes.Clone(b.Bytes())
	if ps.room, ps.last = p.text[:0], nil; cap(ps.room) > 4*packSize {
		ps.room = nil
	}
	p.text = nil
}

// full says that no more texts are added.
func (ps *packs) full() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.open != nil {
		ps.close(ps.open)
	}
	ps.deflate, ps.room, ps.last = nil, nil, nil
}

// read gives a copy of a text.
func (t *packedText) read() []byte {
	ps := t.in.of
	ps.mu.Lock()
	defer ps.mu.Unlock()
	text := t.in.text
	if text == nil {
		text = ps.inflated(t.in)
	}
	if t.at+t.size > len(text) {
		return nil // it was written here
	}
	return bytes.Clone(text[t.at : t.at+t.size])
}

// inflated gives the text of a closed pack, as long as the lock is held.
func (ps *packs) inflated(p *pack) []byte {
	if ps.last == p {
		return ps.room
	}
	from := bytes.NewReader(p.deflated)
	if ps.inflate == nil {
		ps.inflate = flate.NewReader(from)
	} else if ps.inflate.(flate.Resetter).Reset(from, nil) != nil {
		return nil
	}
	ps.last = nil
	if cap(ps.room) < p.size || cap(ps.room) > 4*packSize {
		ps.room = make([]byte, p.size)
	}
	ps.room = ps.room[:p.size]
	if _, err := io.ReadFull(ps.inflate, ps.room); err != nil {
		return nil
	}
	ps.last = p
	return ps.room
}
