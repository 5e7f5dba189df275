//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"os"
	"runtime"
)

// lock does nothing: see removeAbandoned.
func lock(*os.File) error { return nil }

// removeAbandoned removes a file that no process uses. Windows does not remove open
// files. Elsewhere that is unknown, and the file stays.
func removeAbandoned(path string) {
	if runtime.GOOS == "windows" {
		os.Remove(path)
	}
}
