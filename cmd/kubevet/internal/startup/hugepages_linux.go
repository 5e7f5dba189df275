package startup

import "syscall" // x/sys would come too late

// hugePages asks for pages of 2 MiB, or not to have them any more. A kernel that
// has none says so, and all is as it would be without.
func (a addresses) hugePages(wanted bool) {
	advice := uintptr(syscall.MADV_HUGEPAGE)
	if !wanted {
		advice = syscall.MADV_NOHUGEPAGE
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, a.first, a.size, advice)
}
