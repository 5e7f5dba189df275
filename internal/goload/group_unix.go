//go:build unix

package goload

import (
	"os/exec"
	"syscall"
	"time"
)

// endTogether makes the end of the command's context also end the processes that the
// command has started, such as git. They form a process group, so that signals of the
// terminal do not reach them.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 500 * time.Millisecond
}
