package goload

import (
	"crypto/sha256"
	"sync"
)

// digests has a hash of the text of each file. The zero value is empty.
type digests struct {
	mu  sync.Mutex
	all map[string][sha256.Size]byte
}

func (d *digests) add(name string, text []byte) {
	sum := sha256.Sum256(text)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all == nil {
		d.all = map[string][sha256.Size]byte{}
	}
	d.all[name] = sum
}

// has reports whether text is the text that was added for the file.
func (d *digests) has(name string, text []byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum, ok := d.all[name]
	return ok && sum == sha256.Sum256(text)
}
