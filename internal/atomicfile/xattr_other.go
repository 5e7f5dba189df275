//go:build unix && !darwin && !linux

package atomicfile

import "os"

// keepAttributes does nothing: kubevet keeps extended attributes on Linux and macOS.
func keepAttributes(*os.File, string) error { return nil }
