package goload

import (
	"os/exec"
	"time"
)

// endTogether bounds how long the command is waited for at the end of its context.
// What it started ends by itself.
func endTogether(cmd *exec.Cmd) { cmd.WaitDelay = 500 * time.Millisecond }
