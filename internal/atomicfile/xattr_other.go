//go:build unix && !darwin && !linux

package atomicfile

import "os"

// keepAttributes does nothing, because kubevet keeps extended attributes only on Linux
// and macOS.
func keepAttributes(*os.File, string) error { return nil }
