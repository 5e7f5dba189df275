//go:build !unix && !windows

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// keepIdentity returns an error, because systems without users and files, such as
// browsers, cannot replace files.
func keepIdentity(*os.File, string, fs.FileInfo) error {
	return errors.New("files cannot be replaced on this system")
}

// writable returns false, because keepIdentity fails.
func writable(string) bool { return false }

// hardLinks returns 1, as for a file with only one name.
func hardLinks(string, fs.FileInfo) uint64 { return 1 }
