package manifestlint

import (
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Trees returns the documents of a text, such as a file in a ConfigMap. It
// skips documents that do not parse, because the text may not be YAML.
// Positions count from the start of the text.
func Trees(text string) (all []*wire.Value) {
	split := document.NewSplitter([]byte(text))
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		trees, failed := yamltree.Parse(d.Data, d.Line)
		if failed != nil {
			continue
		}
		for _, t := range trees {
			all = append(all, t.Root)
		}
	}
	return all
}
