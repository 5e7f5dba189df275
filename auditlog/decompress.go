package auditlog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxLayers is how often a stream may be compressed: log shippers compress
// what was compressed already.
const maxLayers = 3

// zstdMemory bounds the memory of a zstd decoder, window included.
const zstdMemory = 128 << 20

// Decompress returns a reader of r's text: gzip, of several members too, and
// zstd are recognised by their first bytes, other text is passed on. Close
// frees the decoders, not r.
//
// A stream that ends in the middle gives io.ErrUnexpectedEOF behind all that
// could be read.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	d := &decompressed{}
	for range maxLayers {
		b := bufio.NewReaderSize(r, 64<<10)
		head, err := b.Peek(4)
		if err != nil && err != io.EOF {
			d.Close()
			return nil, err
		}
		r = b
		switch {
		case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
			z, err := gzip.NewReader(b)
			if err != nil {
				d.Close()
				return nil, fmt.Errorf("gzip: %w", err)
			}
			r = z
			d.closers = append(d.closers, z.Close)
			continue
		case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) || len(head) == 4 && head[0]>>4 == 5 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18}):
			z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(zstdMemory), zstd.WithDecoderLowmem(true))
			if err != nil {
				d.Close()
				return nil, fmt.Errorf("zstd: %w", err)
			}
			r = z
			d.closers = append(d.closers, func() error { z.Close(); return nil })
			continue
		}
		break
	}
	d.Reader = r
	return d, nil
}

type decompressed struct {
	io.Reader
	closers []func() error
}

func (d *decompressed) Close() error {
	var first error
	for _, c := range d.closers {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
