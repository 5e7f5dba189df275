package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// written is in memory that differs from what the file has.
var written = [1 << 16]byte{0: 1}

// TestForgetProgram goes on after the program's pages were given back, which it
// would not if one that was written to were among them.
func TestForgetProgram(t *testing.T) {
	for i := range written {
		written[i] = byte(i)
	}
	before := fileResident(t)
	forgetProgram()
	if after := fileResident(t); runtime.GOOS == "linux" && after >= before {
		t.Errorf("%s of the program's file are in memory, before %s", after, before)
	}
	for i := range written {
		if written[i] != byte(i) {
			t.Fatalf("byte %d is %d", i, written[i])
		}
	}
}

// fileResident is how much of its files the kernel says to be in this process's
// memory, right-aligned.
func fileResident(t *testing.T) string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "RssFile:"); ok {
			return size
		}
	}
	t.Skip("this kernel does not tell")
	return ""
}
