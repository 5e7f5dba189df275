package baseline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxSize is the maximal size of a baseline in bytes (256 MiB). About a million findings
// fit into it.
const MaxSize = 256 << 20

// Decode reads a baseline. It returns an error for unknown keys and versions, because
// kubevet must not hide a finding by mistake.
func Decode(r io.Reader) (*Baseline, error) {
	limited := &io.LimitedReader{R: r, N: MaxSize + 1}
	source := &rememberingReader{r: limited}
	decoder := json.NewDecoder(source)
	decoder.DisallowUnknownFields()
	b := &Baseline{}
	err := b.decode(decoder)
	switch {
	case source.err != nil:
		return nil, source.err
	case limited.N == 0:
		return nil, fmt.Errorf("more than %d MiB", MaxSize>>20)
	case err != nil:
		return nil, err
	}
	return b, nil
}

// rememberingReader stores the last error of its reader, except io.EOF.
type rememberingReader struct {
	r   io.Reader
	err error
}

func (r *rememberingReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// decode reads the file token by token. Decoding a list of empty entries at once would
// need many times its size in memory.
func (b *Baseline) decode(d *json.Decoder) error {
	if err := expect(d, json.Delim('{')); err != nil {
		return err
	}
	known := false
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return explain(err)
		}
		switch name {
		case "version":
			version := 0
			if err := d.Decode(&version); err != nil {
				return explain(err)
			}
			if version != Version {
				return fmt.Errorf("baseline format %d, but this kubevet knows only %d: write it again with --write-baseline", version, Version)
			}
			known = true
		case "findings":
			if err := b.findings(d); err != nil {
				return err
			}
		default:
			return fmt.Errorf("not a baseline: unknown field %q", name)
		}
	}
	if err := expect(d, json.Delim('}')); err != nil {
		return err
	}
	if !known {
		return errors.New(`not a baseline: it has no "version"`)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("not a baseline: there is more after its end")
	}
	return nil
}

func (b *Baseline) findings(d *json.Decoder) error {
	if err := expect(d, json.Delim('[')); err != nil {
		return err
	}
	for i := 0; d.More(); i++ {
		var e Entry
		if err := d.Decode(&e); err != nil {
			return explain(err)
		}
		if e.Rule == "" || e.File == "" || e.Message == "" || e.Count < 1 {
			return fmt.Errorf("not a baseline: findings[%d] needs a rule, a file, a message and a count of at least 1", i)
		}
		b.Keep(e)
	}
	return expect(d, json.Delim(']'))
}

// expect reads the next token and returns an error if it is not want.
func expect(d *json.Decoder, want json.Token) error {
	switch got, err := d.Token(); {
	case err != nil:
		return explain(err)
	case got != want:
		return fmt.Errorf("not a baseline: %v where %v is expected", got, want)
	}
	return nil
}

// explain returns an error of encoding/json without its prefix.
func explain(err error) error {
	text := strings.TrimPrefix(err.Error(), "json: ")
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		text = "unexpected end of JSON input"
	}
	return errors.New("not a baseline: " + text)
}
