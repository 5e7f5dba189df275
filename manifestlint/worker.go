package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
)

// worker checks inputs in one goroutine of a run.
type worker struct {
	run     *run
	checker *checker
	reader  Reader
	buf     []byte
	out     []*result // not sent yet
}

// batch checks the inputs of a job.
func (w *worker) batch(j *job) {
	defer close(j.parts)
	for i := range j.inputs {
		if w.run.ctx.Err() != nil {
			break
		}
		in := &j.inputs[i]
		w.recovered(in, func(part *result, last bool) {
			part.trace(w.checker, in)
			w.out = append(w.out, part)
			if !last {
				w.flush(j) // send the results of a large input at once
			}
		})
	}
	w.flush(j)
}

// flush sends the results that were not sent yet.
func (w *worker) flush(j *job) {
	if len(w.out) == 0 {
		return
	}
	select {
	case j.parts <- w.out:
	case <-w.run.ctx.Done():
	}
	w.out = nil
}

// help checks blocks for other workers until no job is left.
func (w *worker) help() {
	for {
		select {
		case t := <-w.run.help:
			w.task(t)
		case <-w.run.idle:
			return
		}
	}
}

// recovered checks one input. It reports a panic as an error about this input,
// and the run continues.
func (w *worker) recovered(in *Input, send func(part *result, last bool)) {
	defer func() {
		if r := recover(); r != nil {
			w.checker = newChecker(w.run.l) // the state of the old one is unknown
			send(w.failed(in, bug(r)), true)
		}
	}()
	w.input(in, send)
}

// bug returns the error for a panic.
func bug(r any) error {
	return fmt.Errorf("kubevet failed here, by a mistake of its own: please report it (%v)", r)
}

// failed returns the result for an input that could not be read.
func (w *worker) failed(in *Input, err error) *result {
	r := &result{}
	r.sum.Fail(in.Name, err)
	w.checker.event(r, Event{Input: in, Err: err})
	return r
}

// trace changes the positions in a rendered input to positions in the source
// files.
func (r *result) trace(c *checker, in *Input) {
	if in.Trace == nil {
		return
	}
	kept := r.findings[:0]
	rendered := renderedLines(in)
	for i := range r.findings {
		if f := &r.findings[i]; c.retrace(in, f, rendered) {
			kept = append(kept, *f)
		} else {
			r.sum.Suppressed++
		}
	}
	r.findings = kept
	for at := range r.sum.Unchecked.Places() {
		f := rules.Finding{File: at.File, Document: at.Document, Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column + 1}
		in.Trace(&f) // a place cannot be suppressed
		*at = rules.Place{File: f.File, Document: f.Document, Line: f.Line, Column: f.Column}
	}
}

// input reads and checks one input.
func (w *worker) input(in *Input, send func(part *result, last bool)) {
	if w.reader != nil {
		data, err := w.reader.Read(*in, document.BlockSize)
		if err == nil {
			send(w.small(in, data), true)
			return
		}
		if !errors.Is(err, ErrLarge) {
			send(w.failed(in, err), true)
			return
		}
	}
	rc, err := in.Open()
	if err != nil {
		send(w.failed(in, err), true)
		return
	}
	defer rc.Close()
	w.open(in, rc, send)
}

// small checks an input that was read as a whole.
func (w *worker) small(in *Input, data []byte) *result {
	r := &result{}
	w.checker.whole(in, document.Decode(data), r)
	if !r.notRead && in.Trace == nil { // rendered inputs are not counted as files
		r.sum.Files, r.sum.Bytes = 1, int64(len(data))
	}
	return r
}

// open checks an open input. A large input is checked in blocks.
func (w *worker) open(in *Input, r io.Reader, send func(part *result, last bool)) {
	if w.buf == nil {
		w.buf = make([]byte, document.BlockSize)
	}
	n, err := io.ReadFull(r, w.buf)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		send(w.small(in, w.buf[:n]), true)
		return
	case nil:
	default:
		send(w.failed(in, err), true)
		return
	}
	if in.Script.Detect(w.buf) != scripts.None {
		data, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(w.buf), r), scripts.MaxSize+1))
		if err != nil {
			send(w.failed(in, err), true)
			return
		}
		send(w.small(in, data), true)
		return
	}
	counted := &countingReader{r: r, n: int64(n)}
	text := document.DecodeReader(io.MultiReader(bytes.NewReader(w.buf[:n]), counted))
	head := make([]byte, 4096)
	n, err = io.ReadFull(text, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		send(w.failed(in, err), true)
		return
	}
	w.stream(in, document.NewBlockReader(head[:n], text, w.run.l.opts.MaxDocument), counted, send)
}

// maxWaiting is the largest number of blocks of one input in memory.
const maxWaiting = 4

// stream checks an input block by block. Idle workers help with blocks. The
// order of the results stays the same.
func (w *worker) stream(in *Input, blocks *document.BlockReader, read *countingReader, send func(part *result, last bool)) {
	var waiting []*task
	lines, docs := 0, 0
	var file []directive
	deliver := func(t *task) {
		<-t.done
		t.res.shift(lines, docs)
		lines += t.res.lines
		docs += t.res.docs
		file = append(file, t.res.file...)
		t.res.findings = suppress(t.res.findings, file, &t.res.sum)
		send(t.res, false)
	}
	var readErr error
	for first := true; readErr == nil && w.run.ctx.Err() == nil; first = false {
		b, err := blocks.Next()
		readErr = err
		if len(b.Data) == 0 && !b.TooLarge {
			break
		}
		t := &task{in: in, block: b, first: first, done: make(chan struct{})}
		select {
		case w.run.help <- t:
		default:
			w.task(t)
		}
		waiting = append(waiting, t)
		for len(waiting) > 0 && (len(waiting) > maxWaiting || waiting[0].isDone()) {
			deliver(waiting[0])
			waiting = waiting[1:]
		}
	}
	for _, t := range waiting {
		deliver(t)
	}
	last := &result{}
	if in.Trace == nil {
		last.sum.Files, last.sum.Bytes = 1, read.n
	}
	if readErr != nil && readErr != io.EOF {
		last.sum.Fail(in.Name, readErr)
		w.checker.event(last, Event{Input: in, Err: readErr})
	}
	w.checker.complain(in, last, file, 0, !in.elsewhere() && in.Trace == nil)
	send(last, true)
}

func (t *task) isDone() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// task checks a block.
func (w *worker) task(t *task) {
	defer close(t.done)
	defer func() {
		if r := recover(); r != nil {
			w.checker = newChecker(w.run.l)
			t.res = w.failed(t.in, bug(r))
			t.res.pass(t.block.Data) // so that later blocks have the right lines
		}
	}()
	t.res = &result{}
	if t.block.TooLarge {
		w.checker.tooLarge(t.in, document.Document{Line: 1}, t.res)
		t.res.lines = t.block.Lines
		return
	}
	w.checker.block(t.in, t.block.Data, t.first, t.res)
	t.block.Data = nil
}

// pass counts the lines and documents of a block that could not be checked
// because of a panic.
func (r *result) pass(data []byte) {
	r.lines = bytes.Count(data, []byte{'\n'})
	split := document.NewSplitter(data)
	for _, ok := split.Next(); ok; _, ok = split.Next() {
		r.docs++
	}
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
