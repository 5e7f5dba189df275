//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"
	"runtime"
)

// lock does nothing. See removeAbandoned.
func lock(*os.File) error { return nil }

// removeAbandoned removes a file if no process uses it. Windows refuses to remove an open
// file. On other systems, this is unknown, so the file stays.
func removeAbandoned(path string) {
	if runtime.GOOS == "windows" {
		os.Remove(path)
	}
}
