package auditlog

import (
	"bytes"
	"fmt"
	"io"
)

// lineSource returns a stream line by line.
type lineSource struct {
	w    *window
	line int // number of the current line, from 0
}

// each passes lines to take until a block is full. It returns io.EOF after the
// last line, or the error of reading.
func (s *lineSource) each(b *block, take func(line []byte)) error {
	for len(b.data) < blockSize {
		data := s.w.bytes()
		n := bytes.IndexByte(data, '\n')
		if n < 0 {
			if len(data) > maxRecord {
				s.w.drop(len(data))
				b.bad = append(b.bad, Damage{Line: s.line + 1, Text: fmt.Sprintf("a line of more than %d MiB is left out", maxRecord>>20)})
				continue
			}
			if s.w.more() {
				continue
			}
			if len(data) > 0 {
				take(data)
				s.w.drop(len(data))
			}
			if err := s.w.failure(); err != nil {
				return err
			}
			return io.EOF
		}
		take(data[:n])
		s.w.drop(n + 1)
		s.line++
	}
	return nil
}

// partialFramer joins the parts of messages. Container runtimes split messages
// after 16 KiB.
type partialFramer struct {
	lineSource
	// part returns the message in a line. more reports whether the message
	// continues in the next line of the same stream. If ok is false, the line
	// is a record.
	part func(line, buf []byte) (text []byte, stream byte, more, ok bool)
	open [2][]byte // message so far, for each stream
	from [2]int    // first line of the message, for each stream
	buf  []byte
}

func (f *partialFramer) next(b *block) error {
	b.reset()
	b.lines = f.line
	err := f.each(b, func(line []byte) { f.take(b, line) })
	if err != nil {
		f.rest(b)
	}
	return err
}

func (f *partialFramer) take(b *block, line []byte) {
	text, stream, more, ok := f.part(line, f.buf[:0])
	if !ok {
		b.record(line, f.line)
		return
	}
	f.buf = text[:0]
	open := &f.open[stream]
	if len(*open) == 0 {
		f.from[stream] = f.line
	}
	if more || len(*open) > 0 {
		if len(*open)+len(text) > maxRecord {
			b.bad = append(b.bad, Damage{Line: f.from[stream] + 1, Text: fmt.Sprintf("a message of more than %d MiB is left out", maxRecord>>20)})
			*open = (*open)[:0]
			return
		}
		*open = append(*open, text...)
		if more {
			return
		}
		text = *open
	}
	b.record(text, f.from[stream])
	*open = (*open)[:0]
}

// rest writes the messages that have no last part.
func (f *partialFramer) rest(b *block) {
	for i := range f.open {
		if len(f.open[i]) > 0 {
			b.record(f.open[i], f.from[i])
			f.open[i] = nil
		}
	}
}

// criPart implements partialFramer.part for lines of the Container Runtime
// Interface (kubernetes/kubernetes, pkg/kubelet/kuberuntime/logs).
func criPart(line, _ []byte) (text []byte, stream byte, more, ok bool) {
	stamp, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok || len(stamp) < 20 || stamp[4] != '-' || stamp[10] != 'T' {
		return nil, 0, false, false
	}
	name, rest, ok := bytes.Cut(rest, []byte{' '})
	if !ok || string(name) != "stdout" && string(name) != "stderr" {
		return nil, 0, false, false
	}
	tags, text, ok := bytes.Cut(rest, []byte{' '})
	if !ok || len(tags) == 0 || tags[0] != 'P' && tags[0] != 'F' || len(tags) > 1 && tags[1] != ':' {
		return nil, 0, false, false
	}
	if name[3] == 'e' {
		stream = 1
	}
	return bytes.TrimSuffix(text, []byte{'\r'}), stream, tags[0] == 'P', true
}

// dockerPart implements partialFramer.part for Docker's json-file driver. A
// message without a line break at its end continues on the next line.
func dockerPart(line, buf []byte) (text []byte, stream byte, more, ok bool) {
	c := cursor{b: line}
	var log, name Text
	known := true
	ok = c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "log":
			log, ok = c.text()
		case "stream":
			name, ok = c.text()
		case "time", "attrs":
			ok = c.skip()
		default:
			known, ok = false, true
			ok = c.skip()
		}
		return ok
	})
	if !ok || !known || log.IsZero() || !name.Is("stdout") && !name.Is("stderr") {
		return nil, 0, false, false
	}
	if name.Is("stderr") {
		stream = 1
	}
	text = log.AppendTo(buf)
	more = !bytes.HasSuffix(text, []byte{'\n'})
	return bytes.TrimRight(text, "\r\n"), stream, more, true
}

// markedPart implements partialFramer.part for programs that write messages in
// JSON objects and mark incomplete messages. These are journald, Docker's
// driver for Fluentd, Cloud Logging, and shippers that read the lines of a
// container runtime.
func markedPart(line, buf []byte) (text []byte, stream byte, more, ok bool) {
	c := cursor{b: line}
	var message Text
	marked := false
	ok = c.object(func(key Text) (ok bool) {
		var t Text
		switch string(key.raw) {
		case "log", "message", "MESSAGE", "textPayload":
			message, ok = c.text()
		case "stream":
			t, ok = c.text()
			if t.Is("stderr") {
				stream = 1
			}
		case "_TRANSPORT":
			t, ok = c.text()
			marked = marked || t.Is("stdout")
		case "_LINE_BREAK":
			t, ok = c.text()
			more = t.Is("line-max")
			marked = marked || more
		case "logtag", "_p":
			t, ok = c.text()
			more = t.Is("P")
			marked = marked || more || t.Is("F")
		case "partial_message":
			t, ok = c.text()
			marked = marked || t.Is("true")
		case "partial_last":
			t, ok = c.text()
			more = t.Is("false")
		case "split":
			more, ok = c.split()
			marked = true
		default:
			ok = c.skip()
		}
		return ok
	})
	if !ok || !marked || message.IsZero() {
		return nil, 0, false, false
	}
	return bytes.TrimRight(message.AppendTo(buf), "\r\n"), stream, more, true
}

// split reads the field split, which Cloud Logging adds to each part of an
// entry. more reports whether more parts follow.
func (c *cursor) split() (more, ok bool) {
	index, total := 0, 0
	ok = c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "index":
			index, ok = c.small()
		case "totalSplits":
			total, ok = c.small()
		default:
			ok = c.skip()
		}
		return ok
	})
	return index+1 < total, ok
}
