package treefile

// Overlay has texts that replace those of files, such as unsaved texts of an editor, by the
// absolute path of the file without symbolic links. It replaces only files that a reader may open:
// all checks of the path come first. The zero value replaces nothing. Its users must not change it.
type Overlay map[string][]byte

// Read returns the text that replaces a file's; false if there is none. If the text has
// more than limit bytes, it returns a *TooLargeError. A limit of zero or less means no
// limit.
func (o Overlay) Read(path string, limit int64) (text []byte, ok bool, err error) {
	if text, ok = o[path]; ok && limit > 0 && int64(len(text)) > limit {
		return nil, true, &TooLargeError{limit}
	}
	return text, ok, nil
}
