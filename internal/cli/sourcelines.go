package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxShownFile is the size above which a file's lines are not shown: a
// snippet is a convenience that must not cost the memory of the run.
const maxShownFile = 32 << 20

// sourceLines gives the lines of files for reports. It keeps one file, since
// findings come file by file. It is not safe for concurrent use.
type sourceLines struct {
	dir   string
	file  string
	ok    bool
	text  string
	start []int // where each line begins
}

// line returns a line of a file by its number, counted from 1, without its
// line break. It gives none of standard input, which is gone, and of what is no
// regular file, which might block.
func (s *sourceLines) line(file string, number int) (string, bool) {
	if file != s.file || s.start == nil {
		s.load(file)
	}
	if !s.ok || number < 1 || number > len(s.start) {
		return "", false
	}
	end := len(s.text)
	if number < len(s.start) {
		end = s.start[number]
	}
	return strings.TrimRight(s.text[s.start[number-1]:end], "\r\n"), true
}

func (s *sourceLines) load(file string) {
	s.file, s.ok, s.text, s.start = file, false, "", []int{0}
	if file == "-" {
		return
	}
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxShownFile {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(bufio.NewReader(f), maxShownFile))
	if err != nil {
		return
	}
	// Lines of other encodings cannot be cut out byte by byte.
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for i, c := range text {
		if c == '\n' {
			s.start = append(s.start, i+1)
		}
	}
	// A line may be as long as the file, and many findings be on it: what is
	// given of a string is no copy.
	s.text, s.ok = string(text), true
}
