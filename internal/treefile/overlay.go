package treefile

// Overlay has texts that replace the content of files, such as unsaved texts in an
// editor. A key is the absolute path of a file with symbolic links resolved. A text is
// used only after all checks of the path, so it replaces only files that may be read. The
// zero value replaces nothing. Readers of an Overlay must not change it.
type Overlay map[string][]byte

// Read returns the text that replaces the content of a file. It returns false if there is
// none. If the text has more than limit bytes, Read returns a *TooLargeError. A limit of
// zero or less means no limit.
func (o Overlay) Read(path string, limit int64) (text []byte, ok bool, err error) {
	if text, ok = o[path]; ok && limit > 0 && int64(len(text)) > limit {
		return nil, true, &TooLargeError{limit}
	}
	return text, ok, nil
}
