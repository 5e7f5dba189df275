package atomicfile

import (
	"io"
	"os"
	"os/exec"
	"testing"
)

// replaceUntilKilled starts this test in another process, which replaces files in a
// directory. It kills the process after some files.
func replaceUntilKilled(t *testing.T, dir string, after int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "ATOMICFILE_KILLED="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, read := io.ReadFull(out, make([]byte, after))
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil || read != nil {
		t.Errorf("the process ended by itself: %v", read)
	}
}
