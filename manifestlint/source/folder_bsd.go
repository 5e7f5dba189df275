//go:build unix && !linux

package source

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// descend opens a directory below the folder; "." is the folder again.
func (f *folder) descend(below string) (folder, error) { return f.descendByStep(below) }

// list fills the listing with the entries, in no order, with their types.
func (f *folder) list(l *listing) error {
	l.reset()
	descriptor, err := unix.Dup(f.descriptor)
	if err != nil {
		return &fs.PathError{Op: "dup", Path: f.path, Err: err}
	}
	dir := os.NewFile(uintptr(descriptor), f.path)
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	l.addAll(entries)
	return err
}
