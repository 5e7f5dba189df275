package goload

import (
	"os/exec"
	"time"
)

// endTogether limits the time to wait for the command after its context ends. On Windows,
// its child processes end on their own.
func endTogether(cmd *exec.Cmd) { cmd.WaitDelay = 500 * time.Millisecond }
