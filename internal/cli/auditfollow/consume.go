package auditfollow

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
	"github.com/kubevet/kubevet/internal/quote"
)

const (
	// pieceSize is the number of bytes that are read at a time. maxLine is the maximal
	// length of a line in bytes.
	pieceSize = 4 << 20
	maxLine   = 64 << 20
)

// errShape is the error for a log that cannot be read in pieces.
var errShape = errors.New("it grows, but is compressed or an archive: use 'kubevet audit' without --follow when the file is complete")

// errRead is an error of one file. It does not end the run.
type errRead struct{ error }

// Unwrap returns the underlying error.
func (e errRead) Unwrap() error { return e.error }

// consume counts the text in the reader from. The text begins at pos. It counts only
// complete records. If last is true, it also counts an incomplete record at the end. It
// moves pos behind the counted text.
func (r *run) consume(ctx context.Context, l *log, pos *position, from io.Reader, last bool) error {
	buf := r.buf[:0]
	defer func() {
		if cap(buf) <= pieceSize {
			r.buf = buf
		}
	}()
	for {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, max(pieceSize, 2*cap(buf))), buf...)
		}
		n, err := fill(from, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		used, feedErr := r.feed(ctx, l, pos, buf, last && err == io.EOF)
		if feedErr != nil {
			return feedErr
		}
		buf = buf[:copy(buf, buf[used:])]
		switch {
		case err == io.EOF:
			l.unread = len(bytes.TrimSpace(buf))
			return nil
		case err != nil:
			return errRead{err}
		}
	}
}

// fill reads until buf is full or an error occurs.
func fill(from io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var k int
		k, err = from.Read(buf[n:])
		n += k
	}
	return n, err
}

// feed counts the complete records of a text and returns their size in bytes. If all is
// true, it counts the whole text.
func (r *run) feed(ctx context.Context, l *log, pos *position, raw []byte, all bool) (int, error) {
	begin := pos.Offset == 0
	if begin {
		if len(raw) < minHead && !all {
			return 0, nil
		}
		pos.Encoding = auditlog.EncodingOf(raw)
	}
	text := pos.Encoding.Decode(raw)
	skipped := 0
	if pos.Skip {
		n := bytes.IndexByte(text, '\n') + 1
		if pos.Skip = n == 0; pos.Skip {
			n = len(text)
		}
		skipped = r.advance(pos, text[:n])
		text = text[n:]
	}
	piece, ok := pos.Resume.Next(text, begin, all)
	if !ok {
		return 0, errRead{errShape}
	}
	if piece.Size() == 0 && len(text) >= maxLine {
		if n := bytes.LastIndexByte(text, '\n') + 1; n > 0 && piece.Lines {
			piece.Text = text[:n]
		} else {
			l.reportLoss(r, pos, "line %d begins a record of more than %d MiB, which is left out", pos.Lines+1, maxLine>>20)
			pos.Skip, pos.Resume.Open = true, ""
			return skipped + r.advance(pos, text), nil
		}
	}
	if piece.Size() == 0 {
		return skipped, nil
	}
	if err := r.count(ctx, l, pos, &piece); err != nil {
		return 0, err
	}
	pos.Resume = piece.After
	return skipped + r.advance(pos, text[:piece.Size()]), r.tick()
}

// minHead is the number of bytes that show the encoding of a text.
const minHead = 4

// advance moves pos behind a text. It returns the size of the text in the file, in bytes.
func (r *run) advance(pos *position, text []byte) int {
	n := pos.Encoding.Size(text)
	pos.Offset += int64(n)
	pos.Lines += bytes.Count(text, []byte{'\n'})
	pos.Seen = max(pos.Seen, pos.Offset)
	r.unsaved = r.unsaved || n > 0
	return n
}

// count counts a piece, which begins at pos.
func (r *run) count(ctx context.Context, l *log, pos *position, piece *auditlog.Piece) error {
	header := bytes.Count(piece.Header, []byte{'\n'})
	batch, err := r.analysis.Read(ctx, auditlive.Text{Input: l.Name, Line: pos.Lines + header, Bytes: piece.Text, Piece: piece})
	if err != nil {
		return err
	}
	r.analysis.Add(batch)
	r.changed = true
	if d := batch.Damage(); len(d) > 0 && !l.damaged {
		l.damaged = true
		r.Complain("%s:%d: %s (further damage in this log is only counted)", quote.Name(l.Name), d[0].Line, d[0].Text)
	}
	if batch.Events() > 0 {
		l.events = true
	} else if batch.Damaged() == 0 && !l.events && !l.barren {
		l.barren = true
		r.Complain("%s holds no audit event so far: it %s", quote.Name(l.Name), batch.Looks())
	}
	return nil
}
