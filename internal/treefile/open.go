package treefile

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// flags are the flags for opening a file to read it. If a pipe has replaced the file,
// O_NONBLOCK keeps the call from waiting for a writer.
const flags = os.O_RDONLY | syscall.O_NONBLOCK

// OpenIn opens a regular file in a directory. It follows symbolic links that stay in the
// directory.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(root.Stat, root.OpenFile, name)
}

// Open opens a regular file by its path. It follows all symbolic links.
func Open(path string) (*os.File, error) { return open(os.Stat, os.OpenFile, path) }

// open opens a regular file, and returns an error for other files. It checks the type
// before opening, because opening a device may have an effect. It checks again
// afterwards, because the file may have been replaced.
func open(stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error), name string) (*os.File, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := open(name, flags, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// OpenDir opens a subdirectory to list it. If a pipe has replaced the subdirectory,
// OpenDir does not block.
func OpenDir(root *os.Root, name string) (*os.File, error) { return root.OpenFile(name, flags, 0) }

// ReadIn is ReadAll for a file that OpenIn opens.
func ReadIn(root *os.Root, name string, buf []byte, limit int64) ([]byte, error) {
	return readOpen(buf, limit)(OpenIn(root, name))
}

// Read is ReadAll for a file that Open opens.
func Read(path string, buf []byte, limit int64) ([]byte, error) {
	return readOpen(buf, limit)(Open(path))
}

func readOpen(buf []byte, limit int64) func(*os.File, error) ([]byte, error) {
	return func(f *os.File, err error) ([]byte, error) {
		if err != nil {
			return buf[:0], err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && (limit <= 0 || info.Size() <= limit) {
			buf = grow(buf[:0], info.Size()+1) // one byte more than the size, to detect the end
		}
		return ReadAll(f, buf, limit)
	}
}

// ReadAll reads until the end, into the memory of buf if it is large enough. If there are
// more than limit bytes, it reads one byte more and returns a *TooLargeError. A limit of
// zero or less means no limit. After an error, the returned slice is empty, but may have
// the memory of the buffer.
func ReadAll(from io.Reader, buf []byte, limit int64) ([]byte, error) {
	if cap(buf) == 0 {
		buf = make([]byte, 0, 64<<10)
	}
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = grow(buf, 2*int64(cap(buf)))
		}
		free := buf[len(buf):cap(buf)]
		if limit > 0 {
			free = free[:min(int64(len(free)), limit+1-int64(len(buf)))]
		}
		n, err := from.Read(free)
		buf = buf[:len(buf)+n]
		if limit > 0 && int64(len(buf)) > limit {
			return buf[:0], &TooLargeError{limit}
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf[:0], err
		}
	}
}

// grow returns a slice with the content of buf and at least the capacity.
func grow(buf []byte, capacity int64) []byte {
	if int64(cap(buf)) >= capacity {
		return buf
	}
	larger := make([]byte, len(buf), capacity+capacity/4)
	copy(larger, buf)
	return larger
}
