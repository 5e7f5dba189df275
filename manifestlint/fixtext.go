package manifestlint

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fixer parses the texts that fixes edit with the fast YAML reader.
type fixer struct {
	skim skimmer
	b    builder
}

func newFixer() *fixer {
	return &fixer{skim: skimmer{triggers: &triggerSet{}}, b: builder{most: largeSlab}}
}

// parse gives the trees of a document that is to be edited next, and whether the
// skimmer read it.
func (m *fixer) parse(d document) (trees []tree, regular bool, failed *syntaxError) {
	m.b.room.clear()
	root := m.skim.buildBy(&m.b, d.data, d.line)
	if root != nil && m.skim.end == len(d.data) && !m.skim.head.empty {
		return []tree{{root: root}}, true, nil
	}
	trees, failed = parseYAML(d.data, d.line)
	return trees, false, failed
}

// tree is fix.Document.Tree.
func (m *fixer) tree(text []byte) *wire.Value {
	root := m.skim.buildBy(&m.b, text, 1)
	if root == nil || m.skim.end != len(text) || m.skim.head.empty || len(m.skim.anchors.all) > 0 || m.skim.anchors.aliases > 0 {
		return nil
	}
	return root
}
