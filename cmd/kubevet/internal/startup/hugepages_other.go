//go:build !linux

package startup

// hugePages is for Linux.
func (addresses) hugePages(bool) {}
