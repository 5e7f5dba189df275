package manifestlint

import (
	"bytes"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fixer edits texts, one after the other, by way of a skimmer that builds their
// trees. What it reads lasts until it edits the next one.
type fixer struct {
	skim   skimmer
	b      builder
	editor fix.Editor
	text   []byte // room for lines that are read
}

func newFixer() *fixer {
	return &fixer{skim: skimmer{triggers: &triggerSet{}}, b: builder{most: largeSlab}}
}

// edits gives the edits that make steps in a document.
func (m *fixer) edits(d fix.Document, steps []conversion.Step) ([]fix.Edit, error) {
	d.Tree, d.Entries = m.tree, m.entries
	edits, err := m.editor.Edits(&d, steps)
	m.b.room.clear()
	if cap(m.text) > manyLines {
		m.text = nil
	}
	return edits, err
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
	if root == nil || m.skim.end != len(text) || m.skim.head.empty || m.shared() {
		return nil
	}
	return root
}

// shared reports whether the text that was read has anchors.
func (m *fixer) shared() bool { return len(m.skim.anchors.all) > 0 || m.skim.anchors.aliases > 0 }

// entries is fix.Document.Entries. What begins in the first column is a
// document itself, all else what a key of one has.
func (m *fixer) entries(lines []byte, line, column int, list bool) *wire.Value {
	if column == 0 && !list {
		root := m.skim.buildBy(&m.b, lines, line)
		if root == nil || m.skim.end != len(lines) || m.skim.marked || m.shared() {
			return nil
		}
		return root
	}
	m.text = append(append(m.text[:0], aKey...), lines...)
	root := m.skim.buildBy(&m.b, m.text, line-1)
	if root == nil || m.skim.end != len(m.text) || len(root.Fields) != 1 || m.shared() {
		return nil
	}
	return root.Fields[0].Value
}

// manyLines is how much room is kept for lines, in bytes.
const manyLines = 1 << 18

// aKey is a line with a key whose value follows.
const aKey = "x:\n"

// treeOf gives an object's tree as fix.Document.Root, where it is what the
// skimmer would make of the text that it stands in.
func (t *editable) treeOf(o *Object, path conversion.Path) *wire.Value {
	if !t.regular || t.json || t.within != nil || o.Embedded != "" || len(path) > 0 || bytes.IndexByte(t.data, '&') >= 0 {
		return nil
	}
	return o.Root
}
