package auditfollow

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
)

// log is one log. It has the file at the path of the log, and older files that were at
// this path before.
type log struct {
	Log
	// dir and base are the directory and the file name of the path. They are without
	// symbolic links as soon as the file was found.
	dir, base string
	current   *file // nil until the file was found
	old       []*file
	// due is true if the directory must be searched for rotated files. retry is the time
	// to search again. changed is the time of the directory's last change.
	due            bool
	retry, changed time.Time
	tries          int
	// shrunk is the number of polls in a row at which the file was shorter than the text
	// that was read.
	shrunk    int
	complaint string // the last message
	unread    int    // number of bytes of the incomplete record at the end
	// damaged is true if damage in the log was reported. barren is true if it was
	// reported that the log has no event. events is true if the log had an event.
	damaged, barren, events bool
}

// checkPath opens the file at the path, and checks whether it is another file than at the
// last poll.
func (l *log) checkPath(_ context.Context, r *run) error {
	if l.dir == "" {
		l.dir, l.base = filepath.Split(l.Path)
		l.due = true
	}
	next, err := l.open()
	l.watch(r)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if l.current == nil {
			l.complain(r, "waiting for "+quote.Name(l.Name)+", which does not exist yet")
		}
		return nil
	case err != nil:
		r.incomplete = true
		l.complain(r, app.Bare(err, l.Name).Error())
		return nil
	}
	pos, c := r.table.find(next.head, next.inode), l.current
	if pos != nil && pos.Size == 0 && len(next.head) > 0 {
		// An empty file cannot be recognised by its content. It may be the log, truncated
		// after it was copied.
		l.due = true
	}
	switch {
	case c == nil:
	case c.pos == pos && os.SameFile(c.info, next.info):
		next.close()
		return nil
	case c.pos == pos || os.SameFile(c.info, next.info): // it was copied or truncated
		c.close()
	default:
		c.quiet = r.now()
		l.old = append(l.old, c)
	}
	if pos == nil {
		pos = r.table.add(l.Path, next.head, next.inode)
	}
	// The file at the path grows, so it is read even if it counted as complete under
	// another name.
	pos.Done = false
	next.setPosition(pos)
	l.current, l.due, l.shrunk, r.unsaved = next, true, 0, true
	return nil
}

// watch requests a search of the directory if the directory has changed. Between two
// polls, a file may have been at the path and rotated.
func (l *log) watch(r *run) {
	info, err := os.Stat(l.dir)
	if err != nil || info.ModTime().Equal(l.changed) {
		return
	}
	l.changed = info.ModTime()
	if l.retry.IsZero() {
		l.retry = r.now().Add(r.pace.retry)
	}
}

// open opens the file at the path.
func (l *log) open() (*file, error) {
	path, err := filepath.EvalSymlinks(l.Path)
	if err != nil {
		return nil, err
	}
	dir, base := filepath.Split(path)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := openFile(root, base)
	if err == nil {
		l.dir, l.base = dir, base
	}
	return f, err
}

// read reads the new text of all files of the log.
func (l *log) read(ctx context.Context, r *run) error {
	if err := l.readOld(ctx, r); err != nil || l.current == nil {
		return err
	}
	c := l.current
	if err := l.readFile(ctx, r, c); err != nil || l.current == nil {
		return err
	}
	switch {
	case c.zipped && !c.pos.Done && r.now().Sub(c.quiet) >= r.pace.quiet:
		return l.finish(ctx, r, c)
	case c.zipped || c.info.Size() >= c.pos.Offset:
		l.shrunk = 0
		return nil
	}
	// A network file system may report an old size for a short time.
	if l.shrunk++; l.shrunk == 3 {
		l.reportLoss(r, c.pos, "was cut to %d bytes after %d were read: some text may be missing, or read twice", c.info.Size(), c.pos.Offset)
		c.pos.Offset, l.shrunk = c.info.Size(), 0
	}
	return nil
}

// readOld reads the new text of rotated files. It closes the files that are complete.
func (l *log) readOld(ctx context.Context, r *run) error {
	for _, f := range slices.Clone(l.old) {
		if err := l.readFile(ctx, r, f); err != nil {
			return err
		}
		if !f.pos.Done && r.now().Sub(f.quiet) >= r.pace.quiet {
			if err := l.finish(ctx, r, f); err != nil {
				return err
			}
		}
		if f.pos.Done || f.pos.Size == 0 && r.now().Sub(f.quiet) >= r.pace.quiet {
			f.close()
			l.old = slices.DeleteFunc(l.old, func(o *file) bool { return o == f })
			if f.pos.Size == 0 && !r.isOpen(f.pos) {
				r.table.remove(f.pos)
			}
		}
	}
	return nil
}

// readFile reads the new text of a file.
func (l *log) readFile(ctx context.Context, r *run, f *file) error {
	from, err := f.newText(r.now())
	switch {
	case err == nil && from == nil:
		return nil
	case err == errTruncated:
		l.drop(r, f)
		l.due = true
		return nil
	}
	if err == nil {
		err = r.consume(ctx, l, f.pos, from, f.zipped)
		from.Close()
		if err == nil && f.zipped {
			f.pos.Done, r.unsaved = true, true
		}
	} else {
		err = errRead{err}
	}
	switch {
	case err == nil:
		l.complaint = ""
		return nil
	case !errors.As(err, new(errRead)) || errors.Is(err, errShape):
	case f.zipped:
		return nil // another program may still write the file; if not, finish reports the error
	default:
		l.drop(r, f)
	}
	return l.failed(r, f.pos, err)
}

// drop closes a file that cannot be read. A later search may find it again.
func (l *log) drop(r *run, f *file) {
	f.close()
	if l.current == f {
		l.current = nil
	}
	l.old = slices.DeleteFunc(l.old, func(o *file) bool { return o == f })
	l.retry = r.now().Add(r.pace.retry)
}

// finish reads the rest of a file that does not grow any more, and marks it as complete.
func (l *log) finish(ctx context.Context, r *run, f *file) error {
	if f.zipped {
		f.pos.Done = true
		l.reportLoss(r, f.pos, "was rotated to %s, which ends too early or is damaged: the text after byte %d is missing", quote.Name(f.name), f.pos.Offset)
		return nil
	}
	if rest := f.info.Size() - f.pos.Offset; rest > 0 {
		err := r.consume(ctx, l, f.pos, io.NewSectionReader(f.f, f.pos.Offset, rest), true)
		if err := l.failed(r, f.pos, err); err != nil {
			return err
		}
	}
	f.pos.Done, r.unsaved = f.pos.Size > 0, true
	return nil
}

// failed prints err if it concerns only one file, and returns nil. Otherwise it returns
// err.
func (l *log) failed(r *run, pos *position, err error) error {
	var inFile errRead
	if !errors.As(err, &inFile) {
		return err
	}
	r.incomplete = true
	if errors.Is(err, errShape) {
		pos.Done, r.unsaved = true, true
		r.analysis.Fail(l.Name, errShape)
	}
	l.complain(r, app.Bare(inFile.error, l.Name).Error())
	return nil
}

// reportLoss reports that a part of the log is missing, and counts it.
func (l *log) reportLoss(r *run, pos *position, format string, args ...any) {
	r.incomplete, r.unsaved = true, true
	r.saved = time.Time{} // save the state at once, so that a crash does not repeat the report
	r.lost.Files++
	r.lost.Bytes += max(0, pos.Seen-pos.Offset)
	l.note(r, format, args...)
}

// complain prints a text, unless it printed the same text last.
func (l *log) complain(r *run, text string) {
	if text != l.complaint {
		l.complaint = text
		r.Complain("%s", text)
	}
}

// close closes all files.
func (l *log) close() {
	if l.current != nil {
		l.current.close()
	}
	for _, f := range l.old {
		f.close()
	}
}
