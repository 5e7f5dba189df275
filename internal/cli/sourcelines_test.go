package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSourceLinesLong: a line as long as its file is not copied for each of
// the findings on it.
func TestSourceLinesLong(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 1<<20)
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte("\xef\xbb\xbf"+long+"\r\nb"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &sourceLines{dir: dir}
	for number, want := range []string{"", long, "b", ""} {
		if got, ok := s.line("a.json", number); got != want || ok != (want != "") {
			t.Errorf("line %d has %d bytes (%v), want %d", number, len(got), ok, len(want))
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.line("a.json", 1) }); n > 0 {
		t.Errorf("a line costs %v allocations", n)
	}
}
