package auditlog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// maxLayers is the largest number of compressions around a text. Log shippers
// compress files that are already compressed.
const maxLayers = 3

// maxDictionary is the largest memory of a zstd or xz decoder in bytes,
// including its window.
const maxDictionary = 128 << 20

// codec is a kind of compression.
type codec struct {
	name  string
	magic string
	open  func(*bufio.Reader) (io.Reader, func() error, error)
}

// codecs are the known compressions, with the first bytes of a stream.
var codecs = []codec{
	{"gzip", "\x1f\x8b", func(b *bufio.Reader) (io.Reader, func() error, error) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, err
		}
		z.Multistream(false)
		return &gzipMembers{z, b}, z.Close, nil
	}},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"xz", "\xfd7zXZ\x00", openXz},
	{"bzip2", "BZh", func(b *bufio.Reader) (io.Reader, func() error, error) { return bzip2.NewReader(b), nil, nil }},
	{"zlib", "\x78\x01", openZlib},
	{"zlib", "\x78\x9c", openZlib},
	{"zlib", "\x78\xda", openZlib},
	{"lzma", "\x5d\x00\x00", openLzma},
	{"lz4", "\x04\x22\x4d\x18", openLz4},
	{"lz4", "\x02\x21\x4c\x18", openLz4}, // the legacy frame
}

// codecOf returns the codec of a stream that begins with head; nil if unknown.
func codecOf(head []byte) *codec {
	for i := range codecs {
		if bytes.HasPrefix(head, []byte(codecs[i].magic)) && (codecs[i].name != "bzip2" || len(head) > 3 && head[3] >= '1' && head[3] <= '9') {
			return &codecs[i]
		}
	}
	// A zstd file can begin with a skippable frame.
	if len(head) >= 4 && head[0]>>4 == 5 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}) {
		return &codecs[1]
	}
	return nil
}

func openZstd(b *bufio.Reader) (io.Reader, func() error, error) {
	z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, nil, err
	}
	return zstdReader{z}, func() error { z.Close(); return nil }, nil
}

// zstdReader reports errDictionary for a stream that needs too much memory.
type zstdReader struct{ z *zstd.Decoder }

// Read decompresses the next bytes.
func (r zstdReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = errDictionary
	}
	return n, err
}

// openXz opens an xz stream. The library allocates as much memory as the header
// of a block asks for. So openXz first checks this size in the first block.
func openXz(b *bufio.Reader) (io.Reader, func() error, error) {
	head, err := b.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if size := xzDictionary(head); size > maxDictionary {
		return nil, nil, errDictionary
	}
	z, err := xz.NewReader(b)
	return z, nil, err
}

// xzDictionary returns the dictionary size of the first block in bytes, or 0 if
// unknown (xz-file-format.txt, sections 3.1 and 5.3.1).
func xzDictionary(head []byte) int64 {
	const streamHeader, sizes, filter = 12, 0xc0, 0x21
	if len(head) < streamHeader+2 || head[streamHeader] == 0 {
		return 0
	}
	rest := head[streamHeader+2:]
	for flags := head[streamHeader+1] & sizes; flags != 0; flags &= flags - 1 {
		for len(rest) > 0 && rest[0]&0x80 != 0 {
			rest = rest[1:]
		}
		rest = rest[min(1, len(rest)):]
	}
	at := bytes.IndexByte(rest, filter)
	if at < 0 || at+2 >= len(rest) {
		return 0
	}
	bits := int64(rest[at+2] & 0x3f)
	return (2 | bits&1) << (bits/2 + 11)
}

// gzipMembers reads members one after the other. Like gzip(1), it ignores zeros
// at the end, which fill the last block of a disk or tape.
type gzipMembers struct {
	z    *gzip.Reader
	from *bufio.Reader
}

// Read reads from the current member.
func (g *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		switch {
		case err == nil || err != io.EOF:
			return n, err
		case n > 0:
			return n, nil
		}
		padded := false
		for {
			next, err := g.from.Peek(1)
			if err != nil {
				return 0, err
			}
			if next[0] != 0 {
				break
			}
			padded = true
			_, _ = g.from.Discard(1)
		}
		if padded {
			return 0, errors.New("other data follows")
		}
		if err := g.z.Reset(g.from); err != nil {
			return 0, err
		}
		g.z.Multistream(false)
	}
}

func openZlib(b *bufio.Reader) (io.Reader, func() error, error) {
	z, err := zlib.NewReader(b)
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

// openLzma opens a file of lzma(1), the predecessor of xz.
func openLzma(b *bufio.Reader) (io.Reader, func() error, error) {
	head, err := b.Peek(lzma.HeaderLen)
	if err != nil {
		return nil, nil, err
	}
	if size := binary.LittleEndian.Uint32(head[1:]); size > maxDictionary {
		return nil, nil, errDictionary
	}
	z, err := lzma.NewReader(b)
	return z, nil, err
}

// errDictionary is the error for a stream that needs too much memory.
var errDictionary = fmt.Errorf("needs a dictionary of more than %d MiB: decompress it first", maxDictionary>>20)

// lz4Frames reads frames one after the other.
type lz4Frames struct {
	z    *lz4.Reader
	from *bufio.Reader
}

func openLz4(b *bufio.Reader) (io.Reader, func() error, error) {
	return &lz4Frames{lz4.NewReader(b), b}, nil, nil
}

// Read reads from the current frame.
func (f *lz4Frames) Read(p []byte) (int, error) {
	for {
		n, err := f.z.Read(p)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		head, _ := f.from.Peek(4)
		if c := codecOf(head); c == nil || c.name != "lz4" {
			return 0, io.EOF
		}
		f.z.Reset(f.from)
	}
}

// Decompress returns a reader of r's text. It recognises gzip, zlib, zstd, xz,
// lzma, bzip2 and lz4 by their first bytes. Streams can have several members,
// and can be compressed several times. Other text is returned unchanged. Close
// frees the decoders, but does not close r.
//
// If a stream is incomplete, the reader returns io.ErrUnexpectedEOF after all
// bytes that could be read.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	return decompress(r, nil)
}

// decompress implements Decompress. Each layer counts towards the limit, which may be nil.
func decompress(r io.Reader, limit *expansion) (*decompressed, error) {
	d := &decompressed{}
	for {
		b := bufio.NewReaderSize(r, 64<<10)
		head, err := b.Peek(8)
		if err != nil && err != io.EOF {
			d.Close()
			return nil, err
		}
		d.Reader = b
		c := codecOf(head)
		if c == nil || d.layers == maxLayers {
			return d, nil
		}
		z, shut, err := c.open(b)
		if err != nil {
			d.Close()
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if shut != nil {
			d.closers = append(d.closers, shut)
		}
		d.layers++
		r = named{limit.watch(z), c.name}
	}
}

type decompressed struct {
	*bufio.Reader
	layers  int
	closers []func() error
}

// Close frees the decoders.
func (d *decompressed) Close() error {
	var first error
	for _, c := range d.closers {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// named adds the name of the compression to errors.
type named struct {
	io.Reader
	name string
}

// Read reads the next bytes and adds the name to an error.
func (n named) Read(p []byte) (int, error) {
	k, err := n.Reader.Read(p)
	if err != nil && err != io.EOF && !errors.Is(err, errExpands) {
		err = fmt.Errorf("%s: %w", n.name, err)
	}
	return k, err
}

// errExpands is the error for a decompression bomb.
var errExpands = errors.New("expands to more than 1000 times its size: not read further")

const (
	// maxRatio is the largest ratio of decompressed to compressed size. Audit
	// logs have a ratio of about 20.
	maxRatio = 1000
	// freeExpansion is the decompressed size in bytes up to which maxRatio does
	// not apply.
	freeExpansion = 1 << 30
)

// expansion counts the bytes of an input before and after decompression. The
// zero value is ready to use.
type expansion struct{ in, out int64 }

// watch returns a reader for r that counts its bytes as output. x may be nil.
func (x *expansion) watch(r io.Reader) io.Reader {
	if x == nil {
		return r
	}
	return expanding{r, x}
}

// expanding is a reader that counts its bytes as output of an expansion.
type expanding struct {
	io.Reader
	x *expansion
}

// Read reads and counts the next bytes. It fails if the output is too large for
// the input.
func (e expanding) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.x.out += int64(n)
	if e.x.out > freeExpansion && e.x.out/maxRatio > e.x.in {
		return n, errExpands
	}
	return n, err
}
