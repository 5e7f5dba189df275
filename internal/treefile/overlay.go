package treefile

// Overlay has texts that replace the content of files, such as unsaved texts in an
// editor. A key is the absolute path of a file without symbolic links. A text replaces
// only files that may be read, because the path is checked first. The zero value replaces
// nothing. An Overlay must not change while it is used.
type Overlay map[string][]byte

// Read returns the text that replaces the content of a file, or false. If the text has
// more than limit bytes, Read returns a *TooLargeError. A limit of zero or less means no
// limit.
func (o Overlay) Read(path string, limit int64) (text []byte, ok bool, err error) {
	if text, ok = o[path]; ok && limit > 0 && int64(len(text)) > limit {
		return nil, true, &TooLargeError{limit}
	}
	return text, ok, nil
}
