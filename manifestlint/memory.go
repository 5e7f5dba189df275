package manifestlint

import "sync"

// Memory keeps between two runs over the same inputs what the first found out
// that the second would find out again: the contents of small inputs, and where
// their documents end and what is in them. It is bounded: what does not fit is
// read twice. It is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	left int64
	held map[string]*kept // by the input's name
}

// kept is what a Memory has of an input.
type kept struct {
	data []byte
	// skims are of its documents, in their order: of those that were looked into
	// and are worth it.
	skims []skimmed
}

// skimmed is what a skimmer says of the text from an offset of an input on.
type skimmed struct {
	at, end, lines  int
	head            skimHead
	wanted          uint64
	regular, marked bool
	markup          bool
}

// NewMemory makes a Memory for so many bytes.
func NewMemory(limit int64) *Memory {
	return &Memory{left: limit, held: map[string]*kept{}}
}

// Keep makes readers that read by others and keep what they read.
func (m *Memory) Keep(newReader func() Reader) func() Reader {
	return func() Reader { return &keeper{Reader: newReader(), m: m} }
}

// Give makes readers that give what was kept, once, and read the rest by
// others.
func (m *Memory) Give(newReader func() Reader) func() Reader {
	return func() Reader { return &giver{Reader: newReader(), m: m} }
}

// remembering is a Reader with a Memory. Last is what the Memory has of what
// Read gave last, nil if nothing: then nobody writes to that data.
type remembering interface{ last() *kept }

// Lasting is a Reader that may have inputs in memory already.
type Lasting interface {
	Reader
	// Lasts reports whether what Read gave last is in memory that nobody writes
	// to any more. A Memory that keeps it need not copy it, nor is it counted.
	Lasts() bool
}

type keeper struct {
	Reader
	m    *Memory
	kept *kept
	// room is for what is small: a piece of memory for each takes longer to get
	// than to fill.
	room []byte
}

// roomSize is how much memory a keeper takes at a time.
const roomSize = 256 << 10

func (k *keeper) last() *kept { return k.kept }

func (k *keeper) Read(in Input, limit int64) ([]byte, error) {
	k.kept = nil
	data, err := k.Reader.Read(in, limit)
	if err != nil {
		return data, err
	}
	m, ok := k.Reader.(Lasting)
	lasts := ok && m.Lasts()
	k.m.mu.Lock()
	defer k.m.mu.Unlock()
	if !lasts {
		if int64(len(data)) > k.m.left {
			return data, nil
		}
		k.m.left -= int64(len(data))
		data = k.copy(data)
	}
	k.kept = &kept{data: data}
	k.m.held[in.Name] = k.kept
	return k.kept.data, nil
}

// copy gives a copy that stays.
func (k *keeper) copy(data []byte) []byte {
	if len(data) > roomSize/4 {
		return append(make([]byte, 0, len(data)), data...)
	}
	if len(data) > cap(k.room)-len(k.room) {
		k.room = make([]byte, 0, roomSize)
	}
	from := len(k.room)
	k.room = append(k.room, data...)
	return k.room[from:len(k.room):len(k.room)]
}

type giver struct {
	Reader
	m    *Memory
	kept *kept
}

func (g *giver) last() *kept { return g.kept }

func (g *giver) Read(in Input, limit int64) ([]byte, error) {
	if g.kept = nil; in.Trace != nil {
		// What was rendered may be named as the file that it was rendered from.
		return g.Reader.Read(in, limit)
	}
	g.m.mu.Lock()
	g.kept = g.m.held[in.Name]
	delete(g.m.held, in.Name) // it need not stay any longer
	g.m.mu.Unlock()
	if g.kept != nil {
		return g.kept.data, nil
	}
	return g.Reader.Read(in, limit)
}

// worthNoting is of how many bytes on, in a document, it is less to keep what is
// in them than to read them again.
const worthNoting = 1 << 10

// note keeps what a skimmer said of the text from an offset on.
func (k *kept) note(at int, s *skimmer, regular bool) {
	if s.pos < worthNoting {
		return
	}
	k.skims = append(k.skims, s.said(at, regular))
}

// recall gives a skimmer what it said of the text from an offset on. It reports
// whether that is known, and whether the text was regular.
func (k *kept) recall(at int, s *skimmer) (regular, known bool) {
	for len(k.skims) > 0 && k.skims[0].at < at {
		k.skims = k.skims[1:]
	}
	if len(k.skims) == 0 || k.skims[0].at > at {
		return false, false
	}
	was := &k.skims[0]
	s.know(was)
	return was.regular, true
}

// said is what a skimmer says of the text that it read last.
func (s *skimmer) said(at int, regular bool) skimmed {
	return skimmed{
		at: at, end: s.end, lines: s.lines, head: s.head, wanted: s.wanted,
		regular: regular, marked: s.marked, markup: s.markup,
	}
}

// know makes a skimmer say what was said of a text.
func (s *skimmer) know(was *skimmed) {
	s.end, s.lines, s.head, s.wanted = was.end, was.lines, was.head, was.wanted
	s.marked, s.markup, s.lists = was.marked, was.markup, false
}
