package chartworker

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// A message is an 8-byte length and a value in the encoding of encoding/gob. The first
// message with a Go type also describes the type.

var errTooLarge = errors.New("the message is too large")

type encoder struct {
	to  io.Writer
	buf bytes.Buffer
	gob *gob.Encoder
}

func newEncoder(to io.Writer) *encoder {
	e := &encoder{to: to}
	e.gob = gob.NewEncoder(&e.buf)
	return e
}

func (e *encoder) encode(v any) error {
	const length, keep = 8, 1 << 20
	e.buf.Reset()
	e.buf.Write(make([]byte, length))
	if err := e.gob.Encode(v); err != nil {
		return err
	}
	binary.BigEndian.PutUint64(e.buf.Bytes(), uint64(e.buf.Len()-length))
	_, err := e.to.Write(e.buf.Bytes())
	if e.buf.Cap() > keep {
		e.buf = bytes.Buffer{}
	}
	return err
}

type decoder struct {
	from  io.Reader
	limit uint64
	buf   bytes.Buffer
	gob   *gob.Decoder
}

// newDecoder returns a decoder that refuses messages of more than limit bytes.
func newDecoder(from io.Reader, limit uint64) *decoder {
	d := &decoder{from: from, limit: limit}
	d.gob = gob.NewDecoder(&d.buf)
	return d
}

// decode reads a message. It returns io.EOF at the end of the input.
func (d *decoder) decode(v any) error {
	var length [8]byte
	if _, err := io.ReadFull(d.from, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint64(length[:])
	if size > d.limit {
		return errTooLarge
	}
	const keep = 1 << 20
	if d.buf.Cap() > keep {
		d.buf = bytes.Buffer{}
	}
	d.buf.Reset()
	if _, err := io.CopyN(&d.buf, d.from, int64(size)); err != nil {
		return fmt.Errorf("reading a message: %w", err)
	}
	return d.gob.Decode(v)
}
