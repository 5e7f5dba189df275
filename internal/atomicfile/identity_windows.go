package atomicfile

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// keepIdentity does nothing: on Windows the new file has the owner and the access
// control list that new files in its directory have.
func keepIdentity(*os.File, string, fs.FileInfo) error { return nil }

// writable returns true: a read-only file has a mode that shows it.
func writable(string) bool { return true }

// hardLinks returns the number of names of a file.
func hardLinks(path string, _ fs.FileInfo) uint64 {
	f, err := os.Open(path)
	if err != nil {
		return 1
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info) != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}
