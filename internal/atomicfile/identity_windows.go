package atomicfile

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// keepIdentity does nothing. On Windows, the new file has the owner and access control
// list of new files in its directory.
func keepIdentity(*os.File, string, fs.FileInfo) error { return nil }

// writable returns true. On Windows, the mode of a file shows whether it is read-only.
func writable(string) bool { return true }

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
