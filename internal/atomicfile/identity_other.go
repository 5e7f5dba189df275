//go:build !unix && !windows

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// keepIdentity fails: systems without users and files, such as browsers, replace no files.
func keepIdentity(*os.File, string, fs.FileInfo) error {
	return errors.New("files cannot be replaced on this system")
}

// writable returns false, because keepIdentity fails.
func writable(string) bool { return false }

// hardLinks returns 1, as if a file had one name.
func hardLinks(string, fs.FileInfo) uint64 { return 1 }
