//go:build darwin || linux

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// uncopiedAttributes has attributes that the system computes, removes when the content
// changes, or does not allow other programs to set.
var uncopiedAttributes = []string{"security.capability", "security.evm", "security.ima", "com.apple.provenance"}

// keepAttributes copies the extended attributes of the file at path to f, and removes all
// others from f.
func keepAttributes(f *os.File, path string) error {
	old, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	want, err := attributes(old)
	if err != nil {
		return fmt.Errorf("its extended attributes cannot be read: %w", err)
	}
	has, err := attributes(f)
	if err != nil {
		return err
	}
	for name := range has {
		if _, ok := want[name]; ok || slices.Contains(uncopiedAttributes, name) {
			continue
		}
		// The defaults of the directory may give new files this attribute.
		if err := unix.Fremovexattr(int(f.Fd()), name); err != nil {
			return fmt.Errorf("its extended attributes cannot be kept: removing %q from its new version: %w", name, err)
		}
	}
	for name, value := range want {
		if set, ok := has[name]; ok && bytes.Equal(set, value) || slices.Contains(uncopiedAttributes, name) {
			continue
		}
		if err := unix.Fsetxattr(int(f.Fd()), name, value, 0); err != nil {
			return fmt.Errorf("its extended attribute %q cannot be kept: %w", name, err)
		}
	}
	return nil
}

// attributes returns the extended attributes of a file. It returns none if the file
// system does not support them.
func attributes(f *os.File) (map[string][]byte, error) {
	list, err := read(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EOPNOTSUPP) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for name := range strings.SplitSeq(string(list), "\x00") {
		if name == "" {
			continue
		}
		value, err := read(func(buf []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, buf) })
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		all[name] = value
	}
	return all, nil
}

// read calls fill with larger and larger buffers until the data fits.
func read(fill func(buf []byte) (int, error)) ([]byte, error) {
	for {
		size, err := fill(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		buf := make([]byte, size)
		n, err := fill(buf)
		if err == unix.ERANGE {
			continue // the data has grown since the last call
		}
		if err != nil {
			return nil, err
		}
		return buf[:n], nil
	}
}
