// Package fingerprint hashes the texts of audit events.
package fingerprint

import "encoding/binary"

// Add adds bytes to a hash and returns the result. Saved states contain its
// results, so the function must never change.
func Add(h uint64, b []byte) uint64 {
	h ^= uint64(len(b)) * 0x9e3779b97f4a7c15
	for len(b) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0xbf58476d1ce4e5b9
		h ^= h >> 31
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * 0x94d049bb133111eb
	return h ^ h>>29
}
