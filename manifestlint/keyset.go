package manifestlint

import (
	"bytes"
	"encoding/binary"
)

// hashKey mixes a map key into 64 bits. It reads a word that goes on behind the
// key where its memory does.
func hashKey(key []byte) uint64 {
	h := uint64(len(key))
	for len(key) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(key)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		key = key[8:]
	}
	var w uint64
	if cap(key) >= 8 {
		w = binary.LittleEndian.Uint64(key[:8]) & (1<<(8*len(key)) - 1)
	} else {
		for i, c := range key {
			w |= uint64(c) << (8 * i)
		}
	}
	h = (h ^ w) * 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// fewKeys is how many keys of a map are looked through one by one; those of a
// larger one are in a keySet.
const fewKeys = 16

// repeated remembers a key of the innermost map, the hashes of whose keys begin
// at an offset of s.keys, and reports whether it may have been there.
func (s *skimmer) repeated(hash uint64, from int, id uint32) bool {
	keys := s.keys[from:]
	if len(keys) > fewKeys {
		return s.seen.add(hash, id)
	}
	for _, k := range keys {
		if k == hash {
			return true
		}
	}
	s.keys = append(s.keys, hash)
	if len(keys) == fewKeys { // it is one too many now
		for _, k := range s.keys[from:] {
			s.seen.add(k, id)
		}
	}
	return false
}

// keySet remembers which keys the maps of one document have. It may take two
// different keys for one, which costs a parse and changes nothing; it never
// misses a repetition.
type keySet struct {
	slots []keySlot
	used  int
	epoch uint32
}

type keySlot struct {
	print uint64
	epoch uint32
}

func (k *keySet) reset() {
	k.used = 0
	k.epoch++
	if k.epoch == 0 { // after four thousand million documents
		clear(k.slots)
		k.epoch = 1
	}
}

// add remembers a key of a map and reports whether it was there.
func (k *keySet) add(hash uint64, id uint32) bool {
	if 2*k.used >= len(k.slots) {
		k.grow()
	}
	print := (hash + uint64(id)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	print ^= print >> 32
	for i := print & uint64(len(k.slots)-1); ; i = (i + 1) & uint64(len(k.slots)-1) {
		slot := &k.slots[i]
		if slot.epoch != k.epoch {
			*slot = keySlot{print, k.epoch}
			k.used++
			return false
		}
		if slot.print == print {
			return true
		}
	}
}

func (k *keySet) grow() {
	old := k.slots
	k.slots = make([]keySlot, max(512, 2*len(old)))
	for _, slot := range old {
		if slot.epoch != k.epoch {
			continue
		}
		i := slot.print & uint64(len(k.slots)-1)
		for k.slots[i].epoch == k.epoch {
			i = (i + 1) & uint64(len(k.slots)-1)
		}
		k.slots[i] = slot
	}
}

// triggerSet holds the keys whose presence makes a body worth parsing. It is
// immutable once made.
type triggerSet struct {
	first [64]bool // by the low bits of the key's hash
	keys  []trigger
}

type trigger struct {
	hash  uint64
	key   string
	value func([]byte) bool // nil: any value
	bit   uint64            // the list that it is in
}

func (t *triggerSet) add(list int, key string, value func([]byte) bool) {
	h := hashKey([]byte(key))
	t.first[h&63] = true
	t.keys = append(t.keys, trigger{h, key, value, 1 << list})
}

// met gives the lists that a key is in: for certain, or if a scalar follows on
// a line of its own. val is the text that follows it on its line. The root's
// own apiVersion and kind are in none: they are the head.
func (t *triggerSet) met(hash uint64, key, val []byte, root bool) (now, scalar uint64) {
	if !t.first[hash&63] {
		return 0, 0
	}
	for i := range t.keys {
		k := &t.keys[i]
		switch {
		case k.hash != hash || string(key) != k.key:
		case root && (k.key == "apiVersion" || k.key == "kind"):
		case k.value == nil:
			now |= k.bit
		case len(val) == 0 || val[0] == '#':
			scalar |= k.bit
		case k.value(bytes.TrimSpace(val)):
			now |= k.bit
		}
	}
	return now, scalar
}
