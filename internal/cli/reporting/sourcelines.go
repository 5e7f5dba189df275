package reporting

import (
	"bytes"
	"path/filepath"

	"github.com/kubevet/kubevet/manifestlint/source"
)

const (
	// maxShownFile is the size above which a file's lines are not shown: a
	// snippet is a convenience that must not cost the memory of the run.
	maxShownFile = 32 << 20
	// keptForLines is how much memory is kept for the next file.
	keptForLines = 4 << 20
)

// sourceLines gives the lines of files for reports. It keeps one file, since
// findings come file by file. It is not safe for concurrent use.
type sourceLines struct {
	dir  string
	file string
	// text is the file's, in the memory of buf; nil if it cannot be shown.
	buf, text []byte
	// number and start are the line that was asked for last and where it begins,
	// given what it says, once cut is set. Findings come in the order of lines.
	number, start int
	given         string
	cut           bool
}

// line returns a line of a file by its number, counted from 1, without its
// line break. It gives none of standard input, which is gone, and of what is no
// regular file, which might block.
func (s *sourceLines) line(file string, number int) (string, bool) {
	if file != s.file || s.number == 0 {
		s.load(file)
	}
	if s.text == nil || number < 1 {
		return "", false
	}
	if number < s.number {
		s.number, s.start, s.cut = 1, 0, false
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
		// A line may be as long as the file, and many findings be on it.
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
	if s.buf, err = source.ReadFile(path, s.buf, maxShownFile); err != nil {
		return
	}
	// Lines of other encodings cannot be cut out byte by byte.
	if bytes.HasPrefix(s.buf, []byte("\xff\xfe")) || bytes.HasPrefix(s.buf, []byte("\xfe\xff")) {
		return
	}
	s.text = bytes.TrimPrefix(s.buf, []byte("\xef\xbb\xbf"))
}
