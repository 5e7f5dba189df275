package manifestlint

import "sync"

// Memory keeps the contents of small inputs between two runs over them, so
// that the second need not read them again. It is bounded: what does not fit
// is read twice. It is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	left int64
	held map[string][]byte // by the input's name
}

// NewMemory makes a Memory for so many bytes.
func NewMemory(limit int64) *Memory {
	return &Memory{left: limit, held: map[string][]byte{}}
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

type keeper struct {
	Reader
	m    *Memory
	kept bool // what was read last
}

// lasts reports whether nobody writes to the memory that Read gave last.
func (k *keeper) lasts() bool { return k.kept }

func (k *keeper) Read(in Input, limit int64) ([]byte, error) {
	data, err := k.Reader.Read(in, limit)
	k.kept = false
	if err != nil {
		return data, err
	}
	k.m.mu.Lock()
	fits := int64(len(data)) <= k.m.left
	if fits {
		k.m.left -= int64(len(data))
	}
	k.m.mu.Unlock()
	if fits {
		kept := append(make([]byte, 0, len(data)), data...)
		k.m.mu.Lock()
		k.m.held[in.Name] = kept
		k.m.mu.Unlock()
		data, k.kept = kept, true
	}
	return data, nil
}

type giver struct {
	Reader
	m     *Memory
	given bool // what was read last
}

// lasts reports whether nobody writes to the memory that Read gave last.
func (g *giver) lasts() bool { return g.given }

func (g *giver) Read(in Input, limit int64) ([]byte, error) {
	g.m.mu.Lock()
	data, ok := g.m.held[in.Name]
	delete(g.m.held, in.Name) // it need not stay any longer
	g.m.mu.Unlock()
	if g.given = ok; ok {
		return data, nil
	}
	return g.Reader.Read(in, limit)
}
