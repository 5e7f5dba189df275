package source

const (
	// leastBlock and mostBlock are how much memory a shelf takes at a time: from
	// block to block twice as much. It is free again when the last text in it is
	// forgotten.
	leastBlock, mostBlock = 64 << 10, 1 << 20
	// maxShelved is the largest file that a shelf keeps; larger ones are read
	// in parts by most who judge them.
	maxShelved = 1 << 20
)

// shelf keeps the texts of files that a search meets, up to a bound. To read
// them while their directory is open spares finding it again, and to read them
// into memory that stays spares a copy.
type shelf struct {
	// left is how many bytes it may still keep.
	left int64
	// block is memory of which the first bytes are in use.
	block []byte
	// apart is set if the room that was asked for last is not in the block.
	apart bool
}

// room returns memory for a file of a size and one byte more, by which its end
// shows; nil if it is too large. The memory is only used up by take.
func (s *shelf) room(size int64) []byte {
	if size < 0 || size > maxShelved || size > s.left {
		return nil
	}
	need := int(size) + 1
	free := cap(s.block) - len(s.block)
	s.apart = free < need && need > mostBlock/4 // what is free is for smaller ones
	switch {
	case s.apart:
		return make([]byte, need)
	case free < need:
		size := max(leastBlock, min(2*cap(s.block), mostBlock), need)
		s.block = make([]byte, size)
		populate(s.block)
		s.block = s.block[:0]
	}
	return s.block[len(s.block) : len(s.block)+need]
}

// take keeps what was read into the room: n bytes. It gives nil if that is not
// the size that the file was said to have.
func (s *shelf) take(room []byte, n int) []byte {
	if n != len(room)-1 {
		return nil
	}
	s.left -= int64(n)
	if !s.apart {
		s.block = s.block[:len(s.block)+n]
	}
	return room[:n:n]
}
