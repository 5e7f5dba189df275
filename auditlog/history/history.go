// Package history saves the counts of audit logs in a file, so that they can be
// added to the counts of other logs.
//
// A file has the extension .kvs. It begins with a line that names the format.
// The rest is compressed with zstd. It has the counts as JSON, then the writes
// to contested objects, and then the data of a live run, if any. Each of these
// parts begins with its length. The same counts result in the same bytes.
package history

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/internal/jsonlist"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// State is the result of a run over audit logs.
type State struct {
	// Tally has the counts of requests.
	Tally *tally.State `json:"tally"`
	// Logs describes the logs that were read.
	Logs Logs `json:"logs"`
	// DeprecatedOnly is set if only events that the server marked as deprecated
	// were read.
	DeprecatedOnly bool `json:"deprecatedOnly"`
	// HasContention is set if Contention was collected.
	HasContention bool `json:"contention"`
	// Contention is the result of contention.Collector.Encode.
	Contention []byte `json:"-"`
	// Live is the data that a live run needs to continue, such as positions in
	// logs. It is nil for other runs, which ignore it.
	Live []byte `json:"-"`
}

// Logs has the contents of an auditlog.Summary, with sorted lists.
type Logs struct {
	Inputs  int                    `json:"inputs"`
	Bytes   int64                  `json:"bytes"`
	Records int64                  `json:"records"`
	Events  int64                  `json:"events"`
	Foreign [4]int64               `json:"foreign"`
	Damaged int64                  `json:"damaged"`
	Damage  jsonlist.List[Damage]  `json:"damage"`
	Failed  jsonlist.List[Failure] `json:"failed"`
	Barren  []string               `json:"barren"`
	Lost    [16]int64              `json:"lost"`
	Levels  [4]int64               `json:"levels"`
}

// Damage is a record that could not be read. Line and Column count from 1.
type Damage struct {
	Input  string `json:"input"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Failure is a log that could not be read completely, and the reason.
type Failure struct {
	Input string `json:"input"`
	Error string `json:"error"`
}

// maxListed is the largest length of lists in Logs. If there is more damage,
// the first positions are kept, sorted by the names of the inputs.
const maxListed = 100

// Of returns the Logs of a summary.
func Of(sum *auditlog.Summary) Logs {
	l := Logs{
		Inputs: sum.Inputs, Bytes: sum.Bytes, Records: sum.Records, Events: sum.Events,
		Foreign: sum.Foreign, Damaged: sum.Damaged, Lost: sum.Lost, Levels: sum.Levels,
		Barren: slices.Clone(sum.Barren),
	}
	for _, d := range sum.Damage {
		l.Damage = append(l.Damage, Damage{d.Input, d.Line, d.Column, d.Text})
	}
	for _, f := range sum.Failed {
		l.Failed = append(l.Failed, Failure{f.Input, f.Err.Error()})
	}
	l.sort()
	return l
}

// Add adds the logs of another state to l.
func (l *Logs) Add(o Logs) {
	l.Inputs += o.Inputs
	l.Bytes += o.Bytes
	l.Records += o.Records
	l.Events += o.Events
	l.Damaged += o.Damaged
	for i, n := range o.Foreign {
		l.Foreign[i] += n
	}
	for i, n := range o.Lost {
		l.Lost[i] += n
	}
	for i, n := range o.Levels {
		l.Levels[i] += n
	}
	l.Damage = append(slices.Clone(l.Damage), o.Damage...)
	l.Failed = append(slices.Clone(l.Failed), o.Failed...)
	l.Barren = append(slices.Clone(l.Barren), o.Barren...)
	l.sort()
}

func (l *Logs) sort() {
	slices.SortFunc(l.Damage, func(a, b Damage) int {
		return cmp.Or(strings.Compare(a.Input, b.Input), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Text, b.Text))
	})
	slices.SortFunc(l.Failed, func(a, b Failure) int {
		return cmp.Or(strings.Compare(a.Input, b.Input), strings.Compare(a.Error, b.Error))
	})
	slices.Sort(l.Barren)
	l.Damage = l.Damage[:min(len(l.Damage), maxListed)]
}

// Summary returns a summary with the contents of l.
func (l *Logs) Summary() auditlog.Summary {
	sum := auditlog.Summary{
		Inputs: l.Inputs, Bytes: l.Bytes, Records: l.Records, Events: l.Events,
		Foreign: l.Foreign, Damaged: l.Damaged, Lost: l.Lost, Levels: l.Levels, Barren: l.Barren,
	}
	for _, d := range l.Damage {
		sum.Damage = append(sum.Damage, auditlog.Located{Input: d.Input, Damage: auditlog.Damage{Line: d.Line, Column: d.Column, Text: d.Text}})
	}
	for _, f := range l.Failed {
		sum.Failed = append(sum.Failed, auditlog.Failure{Input: f.Input, Err: errors.New(f.Error)})
	}
	return sum
}

// magic is the beginning of a file. The digit at its end is the version of the
// format. Version 3 added the beginnings of values, and audit IDs.
const magic = "kubevet audit state 3\n"

const (
	// maxState is the largest uncompressed size of a file, in bytes. The limits
	// of the tally and of the search for fights keep states smaller.
	maxState = 1 << 30
	// maxRatio is the largest ratio of the uncompressed size to the size of the
	// file. A log that repeats one request 100,000 times has the ratio 15.
	// Files of at most minRatio bytes can have a larger ratio.
	maxRatio = 100
	minRatio = 16 << 10
)

// errTooLarge is the error of Write for a state that is larger than maxState.
var errTooLarge = fmt.Errorf("a state of more than %d MiB", maxState>>20)

// Write writes a state. It returns an error if the state is too large, or if w
// fails.
func (s *State) Write(w io.Writer) error {
	head, err := json.Marshal(s)
	if err != nil {
		return err // impossible for plain data
	}
	var body bytes.Buffer
	parts := [][]byte{head, s.Contention}
	if s.Live != nil {
		parts = append(parts, s.Live)
	}
	for _, part := range parts {
		body.Write(binary.AppendUvarint(nil, uint64(len(part))))
		body.Write(part)
	}
	if body.Len() > maxState {
		return errTooLarge
	}
	// Use one goroutine, because the bytes must not depend on the machine.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return err
	}
	defer enc.Close()
	if _, err := io.WriteString(w, magic); err != nil {
		return err
	}
	_, err = w.Write(enc.EncodeAll(body.Bytes(), nil))
	return err
}

// Read reads a state. It returns an error if the file is not a state, is damaged,
// or was written by a later version of kubevet.
func Read(r io.Reader) (*State, error) {
	head := make([]byte, len(magic))
	if n, err := io.ReadFull(r, head); err != nil || string(head) != magic {
		text := string(head[:n])
		const name = "kubevet audit state "
		switch {
		case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
			return nil, err
		case len(text) > len(name) && strings.HasPrefix(text, name):
			return nil, fmt.Errorf("a state of format %q: this kubevet reads format 3; save it anew from its logs", strings.TrimSpace(text[len(name):]))
		}
		return nil, errors.New("no state of kubevet audit: --save writes one")
	}
	data, err := decompress(r)
	if err != nil {
		return nil, err
	}
	var parts [3][]byte
	for i := range parts {
		if i == 2 && len(data) == 0 {
			break
		}
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, errors.New("damaged: it ends too early")
		}
		parts[i], data = data[size:size+int(n)], data[size+int(n):]
	}
	s := &State{}
	if err := json.Unmarshal(parts[0], s); err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if s.Tally == nil || len(data) > 0 {
		return nil, errors.New("damaged: its parts do not hold together")
	}
	if s.HasContention {
		s.Contention = parts[1]
	}
	s.Live = parts[2]
	return s, nil
}

// decompress returns the text after the first line of a file. It limits memory
// by the size of the file, not by the size that the file claims for its text.
func decompress(r io.Reader) ([]byte, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxState+1))
	switch {
	case err != nil:
		return nil, err
	case len(file) > maxState:
		return nil, errTooLarge
	}
	limit := min(maxRatio*max(len(file), minRatio), maxState)
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(limit)))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	data, err := dec.DecodeAll(file, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, fmt.Errorf("damaged: %s of compressed text claim to hold more than %s; --save never writes that", size(len(file)), size(limit))
	case err != nil:
		return nil, fmt.Errorf("damaged: %w", err)
	}
	return data, nil
}

// size returns a number of bytes for a message.
func size(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
