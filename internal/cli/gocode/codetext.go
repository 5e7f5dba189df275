package gocode

import (
	"bytes"
	"go/token"
	"os"
	"unicode/utf8"
)

// Text converts the columns of Go positions, in bytes, into those of findings, in
// code points. The zero value is ready.
type Text struct {
	files map[string]*codeFile
}

type codeFile struct {
	text   []byte
	starts []int // of lines
}

// file reads a file. An unreadable file has no text.
func (t *Text) file(name string) *codeFile {
	if f := t.files[name]; f != nil {
		return f
	}
	f := &codeFile{starts: []int{0}}
	if text, err := os.ReadFile(name); err == nil {
		f.text = text
		for i, c := range text {
			if c == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	if t.files == nil {
		t.files = map[string]*codeFile{}
	}
	t.files[name] = f
	return f
}

// Column returns the column of a position in code points.
func (t *Text) Column(p token.Position) int {
	f := t.file(p.Filename)
	if p.Line < 1 || p.Line > len(f.starts) || p.Column < 1 {
		return p.Column
	}
	from := f.starts[p.Line-1]
	to := min(from+p.Column-1, len(f.text))
	line := bytes.TrimPrefix(f.text[from:to], []byte("\xef\xbb\xbf"))
	return utf8.RuneCount(line) + 1
}

// Place returns the line and the column, in code points, of an offset in a file.
func (t *Text) Place(name string, offset int) token.Position {
	f := t.file(name)
	line := 0
	for line+1 < len(f.starts) && f.starts[line+1] <= offset {
		line++
	}
	p := token.Position{Filename: name, Offset: offset, Line: line + 1, Column: offset - f.starts[line] + 1}
	p.Column = t.Column(p)
	return p
}
