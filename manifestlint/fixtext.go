package manifestlint

import (
	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fixer edits texts, one after the other.
type fixer struct{ editor fix.Editor }

func newFixer() *fixer { return &fixer{} }

// edits returns the edits that make steps in a document.
func (m *fixer) edits(d fix.Document, steps []conversion.Step) ([]fix.Edit, error) {
	d.Tree = func(text []byte) *wire.Value {
		root, _ := yamltree.Read(text, 1)
		return root
	}
	return m.editor.Edits(&d, steps)
}
