package manifestlint

import (
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Broken counts the documents of a text that do not parse, templates included.
func Broken(text []byte) int {
	text = document.Decode(text)
	broken := 0
	split := document.NewSplitter(text)
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		if json, _ := document.JSON(d.Data); json != nil {
			if validStream(json) {
				continue
			}
		}
		if _, failed := yamltree.Parse(d.Data, d.Line); failed != nil {
			broken++
		}
	}
	return broken
}

// validStream reports whether a text is a stream of JSON values.
func validStream(text []byte) bool {
	for _, err := range wire.JSONStream(text, 1) {
		if err != nil {
			return false
		}
	}
	return true
}
