package manifestlint

import (
	"encoding/binary"
	"math/bits"
)

// keyByte marks the bytes of a plain key that need no further thought.
var keyByte = func() (t [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-$" {
		t[c] = true
	}
	return t
}()

// maxKey is below the 1024 characters within which YAML wants a key's colon.
const maxKey = 512

// keyKind tells which bytes a plain key may hold behind its first one: inKey
// everywhere, inBlockKey only where it is no flow collection's.
var keyKind = func() (t [256]uint8) {
	for c := range keyByte {
		if keyByte[c] {
			t[c] = inKey | inBlockKey
		}
	}
	for _, c := range "{}[],\"'@%&*!|<>=+~^();" {
		t[c] = inBlockKey
	}
	return t
}()

const (
	inKey uint8 = 1 << iota
	inBlockKey
)

// scanKey reads "key:" at the start of a text, of a block or of a flow
// collection, and gives the key without its quotes and the offset after the
// colon.
func scanKey(b []byte, block bool) (key []byte, colon int, ok bool) {
	i := 0
	switch c := b[0]; {
	case c == '"' || c == '\'':
		for i = 1; i < len(b) && b[i] != c; i++ {
			if b[i] == '\\' {
				return nil, 0, false
			}
		}
		i++
		if i >= len(b) || b[i] == c {
			return nil, 0, false
		}
		key = b[1 : i-1]
	case c == '-' || !keyByte[c]:
		return nil, 0, false
	default:
		kind := inKey
		if block {
			kind = inBlockKey
		}
		for {
			for i < len(b) && keyKind[b[i]]&kind != 0 {
				i++
			}
			// Managed fields are named f:spec and k:{"name":"web"}.
			if i+1 < len(b) && b[i] == ':' && keyKind[b[i+1]]&kind != 0 {
				i++
				continue
			}
			break
		}
		key = b[:i]
	}
	if i >= len(b) || i > maxKey || b[i] != ':' || i+1 < len(b) && b[i+1] != ' ' {
		return nil, 0, false
	}
	return key, i + 1, true
}

// knownKeys remember plain keys that were met, since documents have the same ones
// over and over. What is in it depends on nothing but the key.
type knownKeys [512]knownKey

// knownKey is a key of at most 16 bytes, and what is to be known of it.
type knownKey struct {
	low, high uint64 // the key
	hash      uint64
	length    int32 // 0: there is none
	resolves  bool  // as keyResolves has it
}

// key is scanKey for a text in a block. known, if not nil, is what is known of the
// key.
func (s *skimmer) key(rest []byte) (key []byte, colon int, known *knownKey, ok bool) {
	if cap(rest) < 16 {
		key, colon, ok = scanKey(rest, true)
		return key, colon, nil, ok
	}
	low, high := binary.LittleEndian.Uint64(rest[:8]), uint64(0)
	var n int
	if mark := colons(low); mark != 0 {
		n = bits.TrailingZeros64(mark) / 8
		low &= 1<<(8*n) - 1
	} else {
		high = binary.LittleEndian.Uint64(rest[8:16])
		mark := colons(high)
		if mark == 0 {
			key, colon, ok = scanKey(rest, true)
			return key, colon, nil, ok
		}
		n = bits.TrailingZeros64(mark) / 8
		high &= 1<<(8*n) - 1
		n += 8
	}
	known = &s.known[(low*0x9e3779b97f4a7c15^high*0xd6e8feb86659fd93)>>55]
	if n > 0 && known.low == low && known.high == high && int(known.length) == n && (n+1 < len(rest) && rest[n+1] == ' ' || n+1 == len(rest)) {
		return rest[:n], n + 1, known, true
	}
	if key, colon, ok = scanKey(rest, true); !ok || colon != n+1 {
		return key, colon, nil, ok
	}
	if len(key) != n { // it is in quotes
		return key, colon, nil, true
	}
	*known = knownKey{low: low, high: high, hash: hashKey(key), length: int32(n), resolves: keyResolves(key)}
	return key, colon, known, true
}

// colons has the high bit of the first of eight bytes that is a colon, and perhaps
// those of bytes behind it.
func colons(w uint64) uint64 {
	x := w ^ ones*':'
	return (x - ones) &^ x & highs
}

// mayResolve marks the first bytes of keys that are no strings.
var mayResolve = func() (t [256]bool) {
	for c := range 'A' {
		t[c] = true
	}
	for _, c := range "yYnNtTfFoO~" {
		t[c] = true
	}
	return t
}()

// keyResolves reports whether a key may be a number, a boolean or null, so
// that another spelling of it has the same JSON name.
func keyResolves(key []byte) bool {
	if len(key) > 0 && !mayResolve[key[0]] {
		return false
	}
	if len(key) == 0 || key[0] < 'A' {
		return len(key) == 0 || key[0] != '$' && key[0] != '/' && string(key) != "."
	}
	if len(key) > 5 {
		return false
	}
	switch string(key) {
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF",
		"true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL":
		return true
	}
	return false
}

// canonicalInt reports whether a key is a whole number in the only form that
// JSON has for it.
func canonicalInt(key []byte) bool {
	if len(key) == 0 || len(key) > 18 || key[0] == '0' && len(key) > 1 {
		return false
	}
	for _, c := range key {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// ambiguous takes note of a key that resolves. One per document is harmless;
// where there are more, two may be the same.
func (s *skimmer) ambiguous(key []byte, quoted bool) bool {
	if !keyResolves(key) {
		return false
	}
	if len(key) == 0 || key[0] < 'A' {
		// 010 and 8 are one key, and 8 may be quoted. A number as JSON writes
		// it has no other spelling but those that end here.
		return !quoted && !canonicalInt(key)
	}
	s.resolved++
	return s.resolved > 1
}
