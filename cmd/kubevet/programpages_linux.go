package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// forgetProgram gives back the memory of the program's own file. Most of it, some
// tens of megabytes, served to begin and is not needed again; what is, the kernel
// still has and maps again page by page. Only what is as it is in the file can be
// given back.
func forgetProgram() {
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer smaps.Close()
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	var first, end uint64
	ours, whole := false, false
	forget := func() {
		if ours && whole && end > first {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(first), uintptr(end-first), syscall.MADV_DONTNEED)
		}
	}
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) >= 5 && len(fields[1]) == 4 { // the range of a mapping, and its mode
			forget()
			ours = len(fields) == 6 && fields[5] == program && fields[1][3] == 'p' && fields[1][1] == '-'
			from, to, _ := strings.Cut(fields[0], "-")
			var errFrom, errTo error
			first, errFrom = strconv.ParseUint(from, 16, 64)
			end, errTo = strconv.ParseUint(to, 16, 64)
			whole = errFrom == nil && errTo == nil
			continue
		}
		switch {
		case len(fields) < 2:
		case fields[0] == "Anonymous:", fields[0] == "Swap:":
			// These are pages that were written to: the file does not have them.
			whole = whole && fields[1] == "0"
		}
	}
	forget()
}
