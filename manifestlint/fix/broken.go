package fix

import (
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Broken returns the number of documents in a text that do not parse, including
// templates.
func Broken(text []byte) int {
	broken := 0
	split := document.NewSplitter(document.Decode(text))
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		if json, _ := document.JSON(d.Data); json != nil && isJSON(json) {
			continue
		}
		if _, failed := yamltree.Parse(d.Data, d.Line); failed != nil {
			broken++
		}
	}
	return broken
}

func isJSON(text []byte) bool {
	for _, err := range wire.JSONStream(text, 1) {
		if err != nil {
			return false
		}
	}
	return true
}
