package manifestlint

// Broken counts the documents of a text that do not parse, templates included.
func Broken(text []byte) int {
	text = decodeText(text)
	broken := 0
	split := newSplitter(text)
	fast := newFixer()
	for d, ok := split.next(); ok; d, ok = split.next() {
		if json, _ := jsonText(d.data); json != nil && validStream(json) {
			continue
		}
		root := fast.tree(d.data)
		fast.b.room.clear()
		if root != nil {
			continue
		}
		if _, failed := parseYAML(d.data, d.line); failed != nil {
			broken++
		}
	}
	return broken
}
