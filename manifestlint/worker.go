package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/kubevet/kubevet/manifestlint/scripts"
)

// worker judges inputs for one goroutine of a run.
type worker struct {
	run    *run
	judge  *judge
	reader Reader
	buf    []byte
	only   result // of an input that was read as a whole, while it is sent
	out    []*result
}

// batch judges the inputs of a job.
func (w *worker) batch(j *job) {
	defer close(j.parts)
	quiet, silent := &result{}, true // what inputs without findings add up to
	for i := range j.inputs {
		if w.run.ctx.Err() != nil {
			break
		}
		in := &j.inputs[i]
		w.contained(in, func(part *result) {
			part.trace(w.judge, in)
			if w.run.survey != nil && part.open() {
				if !silent {
					w.send(j, quiet)
					quiet, silent = &result{}, true
				}
				w.send(j, part.of(in)) // those of one input stand together
				return
			}
			quiet.add(part)
			silent = false
			if len(part.findings) == 0 {
				return
			}
			quiet.findings = part.findings
			w.send(j, quiet)
			quiet, silent = &result{}, true
		})
	}
	if !silent {
		w.send(j, quiet)
	}
	w.flush(j)
}

// contained reads and judges one input. A mistake of ours in one is told like
// any other reason why it could not be judged, and the run goes on.
func (w *worker) contained(in *Input, send func(*result)) {
	defer func() {
		if r := recover(); r != nil {
			w.judge = w.run.newJudge() // its buffers are in no known state
			send(w.failed(in, mistake(r)))
		}
	}()
	w.input(in, send)
}

// mistake is what is told of a panic.
func mistake(r any) error {
	return fmt.Errorf("kubevet failed here, which is a mistake of its own: please report it (%v)", r)
}

// trace moves the findings of a rendered input to where they belong.
func (r *result) trace(j *judge, in *Input) {
	if in.Trace == nil {
		return
	}
	kept := r.findings[:0]
	rendered := renderedLines(in)
	for i := range r.findings {
		if f := &r.findings[i]; j.retrace(in, f, rendered) {
			kept = append(kept, *f)
		} else {
			r.sum.Suppressed++
		}
	}
	r.findings = kept
}

// helpOut judges blocks for other workers until there is nothing left.
func (w *worker) helpOut() {
	for {
		select {
		case t := <-w.run.help:
			w.task(t)
		case <-w.run.idle:
			return
		}
	}
}

// send gives a part on: those of a stream at once, others some at a time, since
// to wake whoever waits for it takes longer than to judge an input.
func (w *worker) send(j *job, part *result) {
	w.out = append(w.out, part)
	if part.partly || len(w.out) == cap(w.out) {
		w.flush(j)
	}
}

// flush gives on what was not yet.
func (w *worker) flush(j *job) {
	if len(w.out) == 0 {
		return
	}
	select {
	case j.parts <- w.out:
	case <-w.run.ctx.Done():
	}
	w.out = make([]*result, 0, batchSize)
}

// input reads and judges one input.
func (w *worker) input(in *Input, send func(*result)) {
	if w.reader != nil {
		data, err := w.reader.Read(*in, blockSize)
		if err == nil {
			if m, ok := w.reader.(remembering); ok {
				w.judge.kept = m.last()
			}
			if m, ok := w.reader.(Lasting); ok {
				w.judge.lasts(m.Lasts())
			}
			w.small(in, data, send)
			w.judge.kept = nil
			w.judge.lasts(false)
			return
		}
		if !errors.Is(err, ErrLarge) {
			send(w.failed(in, err))
			return
		}
	}
	rc, err := in.Open()
	if err != nil {
		send(w.failed(in, err))
		return
	}
	defer rc.Close()
	w.open(in, rc, send)
}

// small judges an input that was read as a whole.
func (w *worker) small(in *Input, data []byte, send func(*result)) {
	n := len(data)
	data = decodeText(data)
	r := &w.only
	r.clear()
	j := w.judge
	if s := w.run.survey; s != nil && s.full() {
		j, r.later = j.gatherer, true
	}
	if g := j.l.gather; g == nil || g.spelled(data) {
		j.whole(in, data, r)
	}
	if !r.unread && in.Trace == nil { // what was rendered is no file
		r.sum.Files, r.sum.Bytes = 1, int64(n)
	}
	send(r)
}

// open judges an input that is read here, in blocks if it is large.
func (w *worker) open(in *Input, r io.Reader, send func(*result)) {
	if w.buf == nil {
		w.buf = make([]byte, blockSize)
	}
	n, err := io.ReadFull(r, w.buf)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		w.small(in, w.buf[:n], send)
		return
	case nil:
	default:
		send(w.failed(in, err))
		return
	}
	if in.Script.Detect(w.buf) != scripts.None {
		data, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(w.buf), r), scripts.MaxSize+1))
		if err != nil {
			send(w.failed(in, err))
			return
		}
		w.small(in, data, send)
		return
	}
	counted := &countingReader{r: r, n: int64(n)}
	text := decodeReader(io.MultiReader(bytes.NewReader(w.buf[:n]), counted))
	head := make([]byte, 4096)
	n, err = io.ReadFull(text, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		send(w.failed(in, err))
		return
	}
	blocks := newBlockReader(head[:n], text, w.run.l.opts.MaxDocument)
	if f, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			blocks.left = info.Size()
		}
	}
	w.stream(in, blocks, counted, send)
}

// stream judges an input block by block. Workers that have nothing to do take
// blocks over; the order of the parts stays.
func (w *worker) stream(in *Input, blocks *blockReader, read *countingReader, send func(*result)) {
	var waiting []*task
	lines, docs := 0, 0
	var file []directive
	deliver := func(t *task) {
		<-t.done
		t.res.partly = true
		t.res.shift(lines, docs)
		lines += t.res.lines
		docs += t.res.docs
		file = append(file, t.res.file...)
		t.res.findings = suppress(t.res.findings, file, &t.res.sum)
		send(t.res)
	}
	var readErr error
	for n := 0; readErr == nil && w.run.ctx.Err() == nil; n++ {
		b, err := blocks.next()
		readErr = err
		if len(b.data) == 0 && !b.tooLarge {
			break
		}
		t := &task{in: in, block: b, from: blocks, head: n == 0, done: make(chan struct{})}
		if s := w.run.survey; s != nil {
			t.later = n >= s.limits.blocks || s.full()
		}
		select {
		case w.run.help <- t:
		default:
			w.task(t)
		}
		waiting = append(waiting, t)
		for len(waiting) > 0 && (len(waiting) > maxWaiting || isDone(waiting[0])) {
			deliver(waiting[0])
			waiting = waiting[1:]
		}
	}
	for _, t := range waiting {
		deliver(t)
	}
	last := &result{}
	last.partly = true
	if in.Trace == nil {
		last.sum.Files, last.sum.Bytes = 1, read.n
	}
	if readErr != nil && readErr != io.EOF {
		last.sum.Fail(in.Name, readErr)
		w.judge.event(last, Event{Input: in, Err: readErr})
	}
	w.judge.complain(in, last, file, 0, !in.elsewhere() && in.Trace == nil)
	send(last)
}

// maxWaiting bounds the blocks of an input that are in memory.
const maxWaiting = 4

func isDone(t *task) bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// task judges a block.
func (w *worker) task(t *task) {
	defer close(t.done)
	defer func() {
		if r := recover(); r != nil {
			w.judge = w.run.newJudge()
			t.res = w.failed(t.in, mistake(r))
			t.res.passOver(t.block.data) // what follows keeps its places
		}
	}()
	t.res = &result{}
	j := w.judge
	if t.later {
		j, t.res.later = j.gatherer, true
	}
	// Trees that are pieces of the text are made in half the time, but keep its
	// memory: where few are made, the next block has that.
	again := !j.l.eager && !j.l.parseBody
	if t.block.tooLarge {
		j.tooLarge(t.in, document{line: 1}, t.res)
		t.res.lines = t.block.lines
		return
	}
	if g := j.l.gather; g != nil && !g.spelled(t.block.data) {
		t.res.passOver(t.block.data)
	} else {
		j.fixed = !again
		j.block(t.in, t.block.data, t.head, t.res)
		j.fixed = false
		detach(t.res.findings, t.block.data)
	}
	if again {
		t.from.release(t.block.data)
	}
	t.block.data = nil
}

// failed is the result of an input that could not be read.
func (w *worker) failed(in *Input, err error) *result {
	r := &result{}
	r.sum.Fail(in.Name, err)
	w.judge.event(r, Event{Input: in, Err: err})
	return r
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
