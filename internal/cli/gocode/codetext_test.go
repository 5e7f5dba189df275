package gocode

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
	var c Text
	for _, tt := range []struct{ line, column, want int }{
		{1, 4, 1},   // the position is after the byte order mark
		{1, 12, 9},  // before the letter a
		{3, 5, 5},   // before the word größe
		{3, 14, 12}, // before the letter x
		{3, 34, 28}, // the end of the line
		{9, 3, 3},   // the line does not exist, so the column stays
	} {
		if got := c.Column(token.Position{Filename: name, Line: tt.line, Column: tt.column}); got != tt.want {
			t.Errorf("column %d of line %d is %d, want %d", tt.column, tt.line, got, tt.want)
		}
	}
	for offset, want := range map[int][2]int{3: {1, 1}, 12: {1, 10}, 13: {2, 1}, 14: {3, 1}, 18: {3, 5}, len(text): {3, 30}} {
		if p := c.Place(name, offset); p.Line != want[0] || p.Column != want[1] {
			t.Errorf("offset %d is %d:%d, want %d:%d", offset, p.Line, p.Column, want[0], want[1])
		}
	}
	if got := c.Column(token.Position{Filename: "missing.go", Line: 1, Column: 7}); got < 1 {
		t.Errorf("column %d in a file that is not there", got)
	}
}
