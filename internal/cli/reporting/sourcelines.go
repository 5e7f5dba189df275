package reporting

import (
	"bytes"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/treefile"
)

const (
	// maxShownFile is the size in bytes of the largest file whose lines are shown.
	// Larger files would need too much memory.
	maxShownFile = 32 << 20
	// keptForLines is the size up to which the buffer is reused for the next file.
	keptForLines = 4 << 20
)

// sourceLines returns lines of files for reports. It keeps one file, since findings
// are sorted by file. It is not safe for concurrent use.
type sourceLines struct {
	dir  string
	file string
	// text is the text of the file, in buf; nil if it cannot be shown.
	buf, text []byte
	// number and start are the last requested line and its offset; given is its text
	// if cut is set. Findings are sorted by line.
	number, start int
	given         string
	cut           bool
}

// line returns a line of a file by its number, counted from 1, without its line
// break. Standard input and files that are not regular have no lines.
func (s *sourceLines) line(file string, number int) (string, bool) {
	if file != s.file || s.number == 0 {
		s.load(file)
	}
	if s.text == nil || number < 1 {
		return "", false
	}
	for s.number > number {
		start := bytes.LastIndexByte(s.text[:s.start-1], '\n') + 1
		s.number, s.start, s.cut = s.number-1, start, false
	}
	for s.number < number {
		end := bytes.IndexByte(s.text[s.start:], '\n')
		if end < 0 {
			return "", false
		}
		s.number, s.start, s.cut = s.number+1, s.start+end+1, false
	}
	if !s.cut {
		line := s.text[s.start:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		// Lines may be as long as the file and have many findings.
		s.given, s.cut = string(bytes.TrimRight(line, "\r\n")), true
	}
	return s.given, true
}

func (s *sourceLines) load(file string) {
	s.file, s.text, s.number, s.start, s.cut = file, nil, 1, 0, false
	if file == "-" {
		return
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	if cap(s.buf) > keptForLines {
		s.buf = nil
	}
	var err error
	if s.buf, err = treefile.Read(path, s.buf, maxShownFile); err != nil {
		return
	}
	// UTF-16 cannot be split into lines byte by byte.
	if bytes.HasPrefix(s.buf, []byte("\xff\xfe")) || bytes.HasPrefix(s.buf, []byte("\xfe\xff")) {
		return
	}
	s.text = bytes.TrimPrefix(s.buf, []byte("\xef\xbb\xbf"))
}
