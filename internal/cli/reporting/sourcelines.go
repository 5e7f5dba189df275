package reporting

import (
	"bytes"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/treefile"
)

const (
	// maxShownFile is the size in bytes of the largest file whose lines reports show.
	// Larger files need too much memory.
	maxShownFile = 32 << 20
	// maxReusedBuffer is the size in bytes of the largest buffer that is reused for the
	// next file.
	maxReusedBuffer = 4 << 20
)

// sourceLines returns lines of source files for reports. Findings are sorted by file, so
// one file is in memory at a time. It is not safe for concurrent use.
type sourceLines struct {
	dir  string
	file string
	// text is the content of the file, in buf. It is nil if the lines of the file cannot
	// be shown.
	buf, text []byte
	// number is the number of the last requested line, and start its offset in text. The
	// next search begins here, because findings are sorted by line. If hasLineText is
	// true, lineText is the text of that line.
	number, start int
	lineText      string
	hasLineText   bool
}

// line returns a line of a file without its line break. The first line is 1. It returns
// false for standard input and for files that are not regular.
func (s *sourceLines) line(file string, number int) (string, bool) {
	if file != s.file || s.number == 0 {
		s.load(file)
	}
	if s.text == nil || number < 1 {
		return "", false
	}
	for s.number > number {
		start := bytes.LastIndexByte(s.text[:s.start-1], '\n') + 1
		s.number, s.start, s.hasLineText = s.number-1, start, false
	}
	for s.number < number {
		end := bytes.IndexByte(s.text[s.start:], '\n')
		if end < 0 {
			return "", false
		}
		s.number, s.start, s.hasLineText = s.number+1, s.start+end+1, false
	}
	if !s.hasLineText {
		line := s.text[s.start:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		// A line may be as long as the file and have many findings, so its text is copied
		// only once.
		s.lineText, s.hasLineText = string(bytes.TrimRight(line, "\r\n")), true
	}
	return s.lineText, true
}

func (s *sourceLines) load(file string) {
	s.file, s.text, s.number, s.start, s.hasLineText = file, nil, 1, 0, false
	if file == "-" {
		return
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	if cap(s.buf) > maxReusedBuffer {
		s.buf = nil
	}
	var err error
	if s.buf, err = treefile.Read(path, s.buf, maxShownFile); err != nil {
		return
	}
	// UTF-16 text cannot be split into lines byte by byte.
	if bytes.HasPrefix(s.buf, []byte("\xff\xfe")) || bytes.HasPrefix(s.buf, []byte("\xfe\xff")) {
		return
	}
	s.text = bytes.TrimPrefix(s.buf, []byte("\xef\xbb\xbf"))
}
