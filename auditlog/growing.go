package auditlog

import (
	"bytes"
	"io"
)

// Growing returns the length of the part of a text that can be read although
// the log still grows. This part has only whole lines; if a container runtime
// wrote the log, it has only whole messages. text must begin at the beginning
// of a line.
//
// ok is false if the log cannot be read in parts. These are tables with a
// header, YAML, compressed text, UTF-16, and JSON values of several lines.
func Growing(text []byte) (n int, ok bool) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
	none := bytes.NewReader(nil)
	if codecOf(text) != nil || decodeUTF16(none, text) != io.Reader(none) || isZip(text) || isTar(text) {
		return 0, false
	}
	if t := tableOf(trimmed, false); t != nil && t.names != nil {
		return 0, false // rows can only be read with their header
	}
	if part := partOf(trimmed); part != nil {
		return wholeMessages(text, part), true
	}
	return wholeText(text), !inBlocks(trimmed) && wholeLines(trimmed)
}

// wholeText returns the end of the last complete line that is not empty. An
// empty line after it may be inside a list.
func wholeText(text []byte) int {
	n := len(bytes.TrimRight(text[:bytes.LastIndexByte(text, '\n')+1], " \t\r\n"))
	if n == 0 {
		return 0
	}
	return n + bytes.IndexByte(text[n:], '\n') + 1
}

// wholeMessages returns the end of the last line that completes a message.
func wholeMessages(text []byte, part func(line, buf []byte) ([]byte, byte, bool, bool)) (end int) {
	var open [2]bool
	var buf []byte
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return end
		}
		if message, stream, more, ok := part(text[at:at+n], buf[:0]); ok {
			buf, open[stream] = message[:0], more
		}
		at += n + 1
		if !open[0] && !open[1] {
			end = at
		}
	}
}

// wholeLines reports whether each JSON value is on one line. It checks only the
// first lines.
func wholeLines(b []byte) bool {
	for n := 0; n < maxSniffed && len(b) > 0; n++ {
		line, rest, more := bytes.Cut(b, []byte{'\n'})
		line = bytes.TrimRight(line, " \t\r")
		b = rest
		if !more || len(line) == 0 || line[0] != '{' && line[0] != '[' || line[0] == '[' && !arrayLike(line) {
			continue
		}
		if whole, _ := oneObject(line); !whole && goesOn(line) {
			return false
		}
	}
	return true
}
