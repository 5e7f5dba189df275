package kustomize

import (
	"bytes"
	"hash/maphash"
	"sync"
)

// shared are the documents that the builds of a run were given, each kept and
// read once however many build with it. It is safe for concurrent use; nil
// shares nothing.
type shared struct {
	seed maphash.Seed
	mu   sync.Mutex
	all  map[uint64]*parsed
	size int

	// last are the documents of which the trees are kept, those that were read
	// last, and tall how much text that is.
	last []recent
	tall int
}

// recent is a document of which the tree is kept.
type recent struct {
	size int
	drop func()
}

// read takes note of a document whose tree is kept now, and has others dropped
// that were read long ago. A tree takes thirty times the memory of its text.
func (s *shared) read(size int, drop func()) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.tall = append(s.last, recent{size, drop}), s.tall+size
	for s.tall > maxTrees && len(s.last) > minTrees {
		s.last[0].drop()
		s.tall -= s.last[0].size
		s.last[0] = recent{}
		s.last = s.last[1:]
	}
}

// Bounds of the trees that are kept: bytes of their texts, and how many there
// are at the least.
const (
	maxTrees = 256 << 10
	minTrees = 4
)

// maxShared bounds the bytes of the documents that are shared.
const maxShared = 64 << 20

func newShared() *shared { return &shared{seed: maphash.MakeSeed(), all: map[uint64]*parsed{}} }

// parsed gives a document with a text.
func (s *shared) parsed(text []byte) *parsed {
	if s == nil {
		return &parsed{text: text}
	}
	sum := maphash.Bytes(s.seed, text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if had := s.all[sum]; had != nil && bytes.Equal(had.text, text) {
		return had
	}
	// The file that it is in shall not be kept for it.
	p := &parsed{text: bytes.Clone(text), in: s}
	if s.size+len(text) <= maxShared {
		s.size += len(text)
		s.all[sum] = p
	}
	return p
}
