package cli

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

func TestCodeText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.go")
	text := "\xef\xbb\xbfpackage a\n\nvar größe, x = 1, \"日本\" // end"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var c codeText
	for _, tt := range []struct{ line, column, want int }{
		{1, 4, 1},   // behind the byte order mark
		{1, 12, 9},  // a
		{3, 5, 5},   // größe
		{3, 14, 12}, // x
		{3, 34, 28}, // end
		{9, 3, 3},   // no such line: as it is
	} {
		if got := c.column(token.Position{Filename: name, Line: tt.line, Column: tt.column}); got != tt.want {
			t.Errorf("column %d of line %d is %d, want %d", tt.column, tt.line, got, tt.want)
		}
	}
	for offset, want := range map[int][2]int{3: {1, 1}, 12: {1, 10}, 13: {2, 1}, 14: {3, 1}, 18: {3, 5}, len(text): {3, 30}} {
		if p := c.place(name, offset); p.Line != want[0] || p.Column != want[1] {
			t.Errorf("offset %d is %d:%d, want %d:%d", offset, p.Line, p.Column, want[0], want[1])
		}
	}
	if got := c.column(token.Position{Filename: "missing.go", Line: 1, Column: 7}); got < 1 {
		t.Errorf("column %d in a file that is not there", got)
	}
}

func TestLeavesOut(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"main.go", "cmd/main.go", true},
		{"./main.go", "cmd/main.go", false},
		{"./main.go", "main.go", true},
		{"cmd", "cmd/main.go", true},
		{"cmd/", "a/cmd/main.go", true},
		{"main.go/", "cmd/main.go", false},
		{"a/**", "a/b/c.go", true},
		{"a/*.go", "a/b/c.go", false},
		{"**/b", "a/b/c.go", true},
		{"*_test.go", "a/b_test.go", true},
		{"../x", "../x/a.go", true},
	} {
		if got := leavesOut(tt.pattern, tt.name); got != tt.want {
			t.Errorf("leavesOut(%q, %q) = %t", tt.pattern, tt.name, got)
		}
	}
}
