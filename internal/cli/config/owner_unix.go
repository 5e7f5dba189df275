//go:build unix

package config

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// owners are the users whose files are trusted.
type owners []uint32

// newOwners returns the user of this process, root, and the owner of a directory. With
// the owner, repositories that are mounted into containers work.
func newOwners(dir string) owners {
	all := owners{uint32(os.Geteuid()), 0}
	if info, err := os.Stat(dir); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			all = append(all, stat.Uid)
		}
	}
	return all
}

// trust reports whether a file, or a link itself, belongs to a trusted user.
func (o owners) trust(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && slices.Contains(o, stat.Uid)
}
