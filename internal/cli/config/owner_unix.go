//go:build unix

package config

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// owners has the IDs of the users whose files are trusted.
type owners []uint32

// newOwners returns the user of this process, root, and the owner of dir. A repository
// that is mounted into a container often belongs to another user, so the owner of dir is
// trusted.
func newOwners(dir string) owners {
	all := owners{uint32(os.Geteuid()), 0}
	if info, err := os.Stat(dir); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			all = append(all, stat.Uid)
		}
	}
	return all
}

// trusts reports whether a file belongs to a trusted user. A symbolic link has its own
// owner.
func (o owners) trusts(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && slices.Contains(o, stat.Uid)
}
