package auditgen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.log")
	var toFile, toStdout, report bytes.Buffer
	if err := run([]string{"-bytes", "64K", "-level", "Request", "-log", file}, &toFile, &report); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-bytes", "64K", "-level", "Request", "-log", "-"}, &toStdout, &report); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, toStdout.Bytes()) {
		t.Error("the file and standard output differ")
	}
	if toFile.String() != report.String() {
		t.Errorf("summary on stdout %q, on stderr %q", toFile.String(), report.String())
	}
	if n := len(written); n < 64<<10 || n > 90<<10 {
		t.Errorf("%d bytes, want about 64K", n)
	}
}

func TestRunRejects(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-events", "5"}, {"-log", "-"}, {"-events", "-1", "-log", "-"}, {"-events", "5", "-log", "-", "more"},
		{"-events", "5", "-log", "-", "-level", "None"}, {"-bytes", "1T", "-log", "-"},
	} {
		if err := run(args, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
