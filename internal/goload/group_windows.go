package goload

import (
	"os/exec"
	"time"
)

// endTogether bounds the wait for the command at the end of its context. Its child
// processes end by themselves.
func endTogether(cmd *exec.Cmd) { cmd.WaitDelay = 500 * time.Millisecond }
