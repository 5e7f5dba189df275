package gocode

import (
	"bytes"
	"go/token"
	"os"
	"unicode/utf8"
)

// Text converts columns from bytes, as the go command counts, to code points, as findings
// count. The zero value is ready to use.
type Text struct {
	files map[string]*codeFile
}

type codeFile struct {
	text   []byte
	starts []int // offset of each line
}

// file reads a file once. A file that cannot be read counts as empty.
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

// Column returns the column of a position in code points, or p.Column if the file has no
// such position.
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

// Place returns the position of an offset in a file. Its column is in code points.
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
