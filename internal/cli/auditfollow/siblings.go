package auditfollow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/quote"
)

// maxTries is the number of searches in a directory after which a file counts as lost.
const maxTries = 6

// sibling is a file in the same directory as a log. It may be the log after a rotation.
type sibling struct {
	name    string
	head    []byte
	inode   uint64
	zipped  bool
	changed time.Time
}

// scan searches the directory for files that were at the path before. It reads those that
// are new, and those that were not read to the end.
func (l *log) scan(ctx context.Context, r *run) error {
	if !l.due && (l.retry.IsZero() || r.now().Before(l.retry)) {
		return nil
	}
	l.due, l.retry = false, time.Time{}
	if err := l.readOld(ctx, r); err != nil {
		return err
	}
	found, unready := l.siblings()
	// Files that were rotated before the first run are ignored.
	first := !r.known[l.Path]
	r.known[l.Path], r.unsaved = true, true
	present := map[*position]bool{}
	for _, s := range found {
		pos := r.table.find(s.head, s.inode)
		if pos == nil && (first || isRotated(l.base, s.name)) {
			pos = r.table.add(l.Path, s.head, s.inode)
			pos.Done = first
		}
		if present[pos] = true; pos == nil || pos.Done || pos.Log != l.Path || r.isOpen(pos) {
			continue
		}
		if err := l.rotated(ctx, r, s.name, pos); errors.Is(err, errUnready) {
			unready = err
		} else if err != nil {
			return err
		}
	}
	r.table.forget(l.Path, present)
	if unready != nil && l.tries < maxTries {
		l.tries++
		l.retry = r.now().Add(r.pace.retry)
		return nil
	}
	l.tries = 0
	if unready != nil {
		l.complain(r, fmt.Sprintf("searching rotated files of %s: %v", quote.Name(l.Name), unready))
	}
	l.missing(r)
	return nil
}

// siblings returns the files that may be rotated files of the log, the oldest first. If a
// file also exists as a compressed copy, the copy is left out. unready is the error of a
// file that could not be read.
func (l *log) siblings() (found []sibling, unready error) {
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(1000)
		for _, name := range names {
			if !isSibling(l.base, name) {
				continue
			}
			switch s, err := siblingOf(root, name); {
			case err == nil && len(s.head) > 0:
				found = append(found, s)
			case isRotated(l.base, name) && err != nil && !errors.Is(err, os.ErrNotExist):
				unready = fmt.Errorf("%s: %w", quote.Name(name), err)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b sibling) int {
		return cmp.Or(cmp.Compare(fromBool(a.zipped), fromBool(b.zipped)), strings.Compare(a.name, b.name))
	})
	heads := map[string]bool{}
	found = slices.DeleteFunc(found, func(s sibling) bool {
		again := heads[string(s.head)]
		heads[string(s.head)] = true
		return again
	})
	// A compressed file may be newer than its content, so names are compared before
	// times.
	slices.SortStableFunc(found, func(a, b sibling) int {
		return cmp.Or(compareRotations(rotation(l.base, a.name), rotation(l.base, b.name)), a.changed.Compare(b.changed))
	})
	return found, unready
}

func fromBool(b bool) int {
	if b {
		return 1
	}
	return 0
}

// siblingOf opens a file and reads what identifies it.
func siblingOf(dir *os.Root, name string) (sibling, error) {
	f, err := openFile(dir, name)
	if err != nil {
		return sibling{}, err
	}
	defer f.close()
	return sibling{name: name, head: f.head, inode: f.inode, zipped: f.zipped, changed: f.info.ModTime()}, nil
}

// rotated reads a rotated file from a position on. The error is errUnready if the file
// has changed since it was found.
func (l *log) rotated(ctx context.Context, r *run, name string, pos *position) error {
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnready, err)
	}
	defer root.Close()
	f, err := openFile(root, name)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnready, err)
	}
	if r.table.find(f.head, f.inode) != pos {
		f.close()
		return errUnready
	}
	f.setPosition(pos)
	f.quiet = r.now()
	l.old = append(l.old, f)
	if err := l.readFile(ctx, r, f); err != nil {
		return err
	}
	if !f.zipped && r.now().Sub(f.info.ModTime()) >= r.pace.quiet {
		// No program writes the file any more, so it counts as complete.
		f.quiet = f.info.ModTime()
		return l.readOld(ctx, r)
	}
	return nil
}

// missing reports the files that were not read to their end and do not exist any more.
func (l *log) missing(r *run) {
	for _, pos := range slices.Clone(r.table.all) {
		switch {
		case pos.Log != l.Path || pos.Done || r.isOpen(pos):
		case pos.Size == 0:
			r.table.remove(pos)
		default:
			pos.Done = true
			l.reportLoss(r, pos, "a file that was read up to byte %d was truncated or is gone: later text in it, and files after it, may be missing", pos.Offset)
		}
	}
}

// isOpen reports whether the file of a position is open.
func (r *run) isOpen(pos *position) bool {
	return slices.ContainsFunc(r.logs, func(l *log) bool {
		return l.current != nil && l.current.pos == pos || slices.ContainsFunc(l.old, func(f *file) bool { return f.pos == pos })
	})
}

// note prints that a part of the log is missing. The report lists it too.
func (l *log) note(r *run, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.analysis.Fail(l.Name, errors.New(text))
	r.Complain("%s: %s", quote.Name(l.Name), text)
}
