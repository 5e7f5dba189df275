//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"
	"runtime"
)

// lock does nothing. removeAbandoned needs no lock.
func lock(*os.File) error { return nil }

// removeAbandoned removes a file that no process uses. Windows refuses to remove an open
// file. On other systems, kubevet cannot know whether a process uses the file, so the
// file stays.
func removeAbandoned(path string) {
	if runtime.GOOS == "windows" {
		os.Remove(path)
	}
}
