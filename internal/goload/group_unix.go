//go:build unix

package goload

import (
	"os/exec"
	"syscall"
	"time"
)

// endTogether lets the end of the command's context end all that it started, such as
// git. They form a process group, of which no terminal knows.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 500 * time.Millisecond
}
