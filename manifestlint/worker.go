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
	buffer  []byte
	unsent  []*result // results that were not sent yet
}

// checkBatch checks the inputs of a job.
func (w *worker) checkBatch(j *job) {
	defer close(j.parts)
	for i := range j.inputs {
		if w.run.ctx.Err() != nil {
			break
		}
		in := &j.inputs[i]
		w.checkRecovering(in, func(part *result, last bool) {
			part.traceFindings(w.checker, in)
			w.unsent = append(w.unsent, part)
			if !last {
				w.flush(j) // send the results of a large input at once
			}
		})
	}
	w.flush(j)
}

// flush sends the results that were not sent yet.
func (w *worker) flush(j *job) {
	if len(w.unsent) == 0 {
		return
	}
	select {
	case j.parts <- w.unsent:
	case <-w.run.ctx.Done():
	}
	w.unsent = nil
}

// helpOthers checks blocks for other workers until no job is left.
func (w *worker) helpOthers() {
	for {
		select {
		case t := <-w.run.blocks:
			w.checkBlock(t)
		case <-w.run.finished:
			return
		}
	}
}

// checkRecovering checks one input, and converts a panic to an error about this
// input.
func (w *worker) checkRecovering(in *Input, send func(part *result, last bool)) {
	defer func() {
		if r := recover(); r != nil {
			w.checker = newChecker(w.run.l) // the state of the old one is unknown
			send(w.failedResult(in, panicError(r)), true)
		}
	}()
	w.checkInput(in, send)
}

func panicError(r any) error {
	return fmt.Errorf("kubevet failed here, by a mistake of its own: please report it (%v)", r)
}

// failedResult returns the result for an input that could not be read.
func (w *worker) failedResult(in *Input, err error) *result {
	r := &result{}
	r.sum.Fail(in.Name, err)
	w.checker.event(r, Event{Input: in, Err: err})
	return r
}

// traceFindings moves the findings in a rendered input to the source files.
func (r *result) traceFindings(c *checker, in *Input) {
	if in.Trace == nil {
		return
	}
	kept := r.findings[:0]
	rendered := renderedLines(in)
	for i := range r.findings {
		if f := &r.findings[i]; c.moveToSource(in, f, rendered) {
			kept = append(kept, *f)
		} else {
			r.sum.Suppressed++
		}
	}
	r.findings = kept
	for at := range r.sum.Unchecked.Places() {
		f := rules.Finding{File: at.File, Document: at.Document, Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: at.Column + 1}
		in.Trace(&f) // ignore the result: a suppression comment cannot remove a place
		*at = rules.Place{File: f.File, Document: f.Document, Line: f.Line, Column: f.Column}
	}
}

// checkInput reads and checks one input.
func (w *worker) checkInput(in *Input, send func(part *result, last bool)) {
	if w.reader != nil {
		data, err := w.reader.Read(*in, document.BlockSize)
		if err == nil {
			send(w.checkWhole(in, data), true)
			return
		}
		if !errors.Is(err, ErrLarge) {
			send(w.failedResult(in, err), true)
			return
		}
	}
	rc, err := in.Open()
	if err != nil {
		send(w.failedResult(in, err), true)
		return
	}
	defer rc.Close()
	w.checkOpen(in, rc, send)
}

// checkWhole checks an input that was read as a whole.
func (w *worker) checkWhole(in *Input, data []byte) *result {
	r := &result{}
	w.checker.checkText(in, document.Decode(data), r)
	if !r.ignored && in.Trace == nil { // rendered inputs are not counted as files
		r.sum.Files, r.sum.Bytes = 1, int64(len(data))
	}
	return r
}

// checkOpen checks an open input, in blocks if it is large.
func (w *worker) checkOpen(in *Input, r io.Reader, send func(part *result, last bool)) {
	if w.buffer == nil {
		w.buffer = make([]byte, document.BlockSize)
	}
	n, err := io.ReadFull(r, w.buffer)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		send(w.checkWhole(in, w.buffer[:n]), true)
		return
	case nil:
	default:
		send(w.failedResult(in, err), true)
		return
	}
	if in.Script.Detect(w.buffer) != scripts.None {
		data, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(w.buffer), r), scripts.MaxSize+1))
		if err != nil {
			send(w.failedResult(in, err), true)
			return
		}
		send(w.checkWhole(in, data), true)
		return
	}
	counted := &countingReader{r: r, n: int64(n)}
	text := document.DecodeReader(io.MultiReader(bytes.NewReader(w.buffer[:n]), counted))
	head := make([]byte, 4096)
	n, err = io.ReadFull(text, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		send(w.failedResult(in, err), true)
		return
	}
	w.checkBlocks(in, document.NewBlockReader(head[:n], text, w.run.l.opts.MaxDocument), counted, send)
}

// maxWaiting is the largest number of blocks of one input in memory.
const maxWaiting = 4

// checkBlocks checks an input block by block. Idle workers help with blocks.
// The order of the results stays the same.
func (w *worker) checkBlocks(in *Input, blocks *document.BlockReader, read *countingReader, send func(part *result, last bool)) {
	var waiting []*task
	lines, docs := 0, 0
	var file []directive
	deliver := func(t *task) {
		<-t.done
		t.res.shift(lines, docs)
		lines += t.res.lines
		docs += t.res.docs
		file = append(file, t.res.fileDirectives...)
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
		case w.run.blocks <- t:
		default:
			w.checkBlock(t)
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
	w.checker.reportDirectives(in, last, file, 0, !in.syntaxOnly() && in.Trace == nil)
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

func (w *worker) checkBlock(t *task) {
	defer close(t.done)
	defer func() {
		if r := recover(); r != nil {
			w.checker = newChecker(w.run.l)
			t.res = w.failedResult(t.in, panicError(r))
			t.res.countOnly(t.block.Data) // so that later blocks have the right lines
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

// countOnly counts the lines and documents of a block that could not be checked
// because of a panic.
func (r *result) countOnly(data []byte) {
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
