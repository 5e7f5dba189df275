//go:build unix

package auditfollow

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the inode of a file, or 0 if it is unknown.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
