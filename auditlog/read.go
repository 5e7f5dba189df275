package auditlog

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
)

// Input is one log.
type Input struct {
	// Name identifies the log in messages; "-" is standard input.
	Name string
	// Open returns a reader of the log's bytes, which may be compressed. It is
	// called once.
	Open func() (io.ReadCloser, error)
	// Piece is set if the log is a piece of a growing log, and Open returns its
	// text.
	Piece *Piece
}

// Options configure Read. The zero value is ready to use.
type Options struct {
	// Workers is the number of goroutines that scan blocks; 0 means GOMAXPROCS.
	Workers int
	// Progress, if not nil, is called from several goroutines. n is the number
	// of bytes, before decompression, that were read since the last call.
	Progress func(n int64)
	// Skip is called for each block of lines before the block is scanned. It
	// returns the block without the lines that are not needed. These lines are
	// not counted as records. Skip can be nil.
	Skip func(lines []byte) []byte
}

// Worker collects the events of one goroutine.
type Worker[P any] interface {
	// Event handles an event, which is valid until Event returns. line is the
	// line number of the event's record, from 0 at the beginning of the block.
	Event(e *Event, line int)
	// Part returns the result for the events since the last call.
	Part() P
}

// Summary has the counters of a run.
type Summary struct {
	// Inputs is the number of logs. Bytes is their size after decompression.
	// Records and Events are the numbers of records and of events.
	Inputs                 int
	Bytes, Records, Events int64
	// Foreign counts the records that are not audit events, by their kind.
	Foreign [4]int64
	// Damaged counts the records that could not be read. Damage has the
	// positions of the first maxDamage of them.
	Damaged int64
	Damage  []Located
	// Failed are inputs that could not be read completely.
	Failed []Failure
	// Barren are the inputs that were read completely and have no audit event,
	// such as empty files. Events that Options.Skip removed count as events.
	// Looks describes each input in Barren, such as "looks like YAML". It can
	// be shorter than Barren, because saved states have no descriptions.
	Barren, Looks []string
	// Lost[i] counts the events with bit i of Event.Lost.
	Lost [16]int64
	// Levels counts events by level.
	Levels [4]int64
}

// Located is damage with its input.
type Located struct {
	Input string
	Damage
}

// Failure is an input that could not be opened, or not read completely.
type Failure struct {
	Input string
	Err   error
}

// maxDamage is the largest length of Summary.Damage.
const maxDamage = 100

// task is a block that a reader passes to a worker. The results are combined in
// the order of the blocks.
type task[P any] struct {
	block block
	text  *text // the source of the block
	done  chan struct{}

	part    P
	newline int  // line breaks in the block
	skipped bool // all events in the block were skipped
	sum     Summary
	damage  []Damage // lines count from the beginning of the block
}

// inFlight is the largest number of blocks of one input that are processed at
// the same time.
const inFlight = 4

// Read reads logs and passes their events to workers. It passes the result for
// each block to combine, in the order of the inputs. line is the number of
// lines before the block in its input.
//
// Damaged records are counted and left out. The error is the error of ctx.
func Read[P any](ctx context.Context, inputs iter.Seq[Input], o Options, newWorker func() Worker[P], combine func(p P, input string, line int)) (Summary, error) {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan *task[P], workers)
	files := make(chan *file[P], workers) // read ahead, in order
	pool := &sync.Pool{New: func() any { return &task[P]{done: make(chan struct{}, 1)} }}

	var scanning sync.WaitGroup
	for range workers {
		scanning.Go(func() {
			w := newScan(newWorker(), o.Skip)
			for t := range work {
				if !w.recovered(t) {
					w = newScan(newWorker(), o.Skip) // after a panic, the state of the old scan is unknown
				}
				t.done <- struct{}{}
			}
		})
	}
	go func() {
		defer close(files)
		for in := range inputs {
			f := &file[P]{input: in, tasks: make(chan *task[P], inFlight)}
			select {
			case files <- f:
			case <-ctx.Done():
				return
			}
			go f.read(ctx, o, pool, work)
		}
	}()

	var sum Summary
	for f := range files {
		sum.Inputs++
		line := 0
		before, skipped := sum, false
		var last *text
		for t := range f.tasks {
			<-t.done
			if t.text != last {
				line, last = 0, t.text
			}
			if t.block.lines >= 0 {
				line = t.block.lines
			}
			combine(t.part, t.text.name, line)
			sum.add(&t.sum, t.damage, t.text.name, line)
			line += t.newline
			skipped = skipped || t.skipped
			var none P
			t.part, t.sum, t.damage = none, Summary{}, t.damage[:0]
			pool.Put(t)
		}
		if sum.Events == before.Events && !skipped && f.err == nil {
			sum.Barren = append(sum.Barren, f.input.Name)
			sum.Looks = append(sum.Looks, f.looks())
		}
		sum.Bytes += f.bytes
		sum.Failed = append(sum.Failed, f.failed...)
		if f.err != nil {
			sum.Failed = append(sum.Failed, Failure{f.input.Name, f.err})
		}
	}
	close(work)
	scanning.Wait()
	return sum, ctx.Err()
}

// add adds the counters of a block.
func (s *Summary) add(o *Summary, damage []Damage, input string, line int) {
	s.Records += o.Records
	s.Events += o.Events
	s.Damaged += o.Damaged
	for i, n := range o.Foreign {
		s.Foreign[i] += n
	}
	for i, n := range o.Lost {
		s.Lost[i] += n
	}
	for i, n := range o.Levels {
		s.Levels[i] += n
	}
	for _, d := range damage {
		if len(s.Damage) < maxDamage {
			d.Line += line
			s.Damage = append(s.Damage, Located{input, d})
		}
	}
}

// scan has the state of one goroutine that scans blocks.
type scan[P any] struct {
	d      decoder
	worker Worker[P]
	skip   func([]byte) []byte

	t      *task[P]
	record []byte
	undone []byte // the current line after its escapes were removed
	line   int

	probe  decoder // reads the first lines of blocks, to decide about skipping
	probed *Lost   // Event.Lost of the event that probe found; nil for none
}

func newScan[P any](w Worker[P], skip func([]byte) []byte) *scan[P] {
	s := &scan[P]{worker: w, skip: skip}
	s.probe = decoder{emit: func(e *Event) { lost := e.Lost; s.probed = &lost }, foreign: func(Foreign) {}, damage: func(int, string) {}}
	s.d.emit = func(e *Event) {
		sum := &s.t.sum
		sum.Events++
		sum.Levels[e.Level]++
		if e.Lost != 0 {
			for i := range sum.Lost {
				sum.Lost[i] += int64(e.Lost >> i & 1)
			}
		}
		s.worker.Event(e, s.line)
	}
	s.d.foreign = func(what Foreign) { s.t.sum.Foreign[what]++ }
	s.d.damage = func(off int, text string) {
		s.t.sum.Damaged++
		if len(s.t.damage) == maxDamage {
			return
		}
		d := Damage{Line: s.line + 1, Text: text}
		if off >= 0 {
			before := s.record[:min(off, len(s.record))]
			d.Line += bytes.Count(before, []byte{'\n'})
			d.Column = len(before) - bytes.LastIndexByte(before, '\n')
		}
		s.t.damage = append(s.t.damage, d)
	}
	return s
}

// bug returns the message for a panic.
func bug(r any) string {
	return fmt.Sprintf("kubevet failed here, by a mistake of its own: please report it (%v)", r)
}

// recovered scans one block. If the scan panics, it counts the block as damage
// and returns false.
func (s *scan[P]) recovered(t *task[P]) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			var none P
			t.part, t.sum, t.newline, t.skipped = none, Summary{Damaged: 1}, s.line, false
			t.damage = append(t.damage[:0], Damage{Line: s.line + 1, Text: bug(r)})
		}
	}()
	s.block(t)
	return true
}

// block scans one block.
func (s *scan[P]) block(t *task[P]) {
	s.t, s.line = t, 0
	b := &t.block
	t.newline, t.skipped = 0, false
	if b.records != nil {
		for _, r := range b.records {
			s.line = r.line - b.lines
			s.one(b.data[r.start:r.end])
		}
	} else {
		data := b.data
		if s.skip != nil {
			if marked, found := s.probes(data); marked {
				data = s.skip(data)
				t.skipped = found && len(data) == 0
			}
		}
		for len(data) > 0 {
			n := bytes.IndexByte(data, '\n')
			if n < 0 {
				s.one(s.plain(data))
				break
			}
			s.one(s.plain(data[:n]))
			data = data[n+1:]
			s.line++
		}
		t.newline = s.line
	}
	for _, d := range b.bad {
		t.sum.Damaged++
		d.Line = max(0, d.Line-max(0, b.lines))
		t.damage = append(t.damage, d)
	}
	// Sort the damage, because the order must not depend on how a log is split
	// into blocks.
	slices.SortStableFunc(t.damage, func(a, b Damage) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	t.part = s.worker.Part()
}

// plain returns a line after the escapes of the file were removed.
func (s *scan[P]) plain(line []byte) []byte {
	if s.d.undone = s.t.block.escaped != 0; !s.d.undone {
		return line
	}
	s.undone = s.t.block.escaped.undo(s.undone[:0], line)
	return s.undone
}

// probes reads the first lines of a block up to the first event. found reports
// whether there is an event. marked reports whether this event's text shows its
// annotations, so that lines without deprecatedNeedle can be skipped. The text
// of an encoded event does not show them.
func (s *scan[P]) probes(data []byte) (marked, found bool) {
	s.probed = nil
	for n := 0; len(data) > 0 && n < 100; n++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		s.probe.record(s.plain(line))
		if s.probed != nil {
			return *s.probed&(LostAnnotations|LostTail) == 0 && bytes.Contains(line, []byte("k8s")), true
		}
		data = rest
	}
	return true, false
}

func (s *scan[P]) one(record []byte) {
	s.record = record
	s.t.sum.Records++
	s.d.record(record)
}
