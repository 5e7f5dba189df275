package manifestlint

import (
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Bodies gives the bodies of gathered objects one after the other, each in the
// memory of the one before. The zero value is ready.
type Bodies struct {
	skim  skimmer
	trees builder
}

// Of gives an object's body as Tree does; it lasts until Of is called again.
func (b *Bodies) Of(o *Object) *wire.Value {
	if o.Root != nil {
		return o.Root
	}
	text := o.text()
	if text == nil {
		return nil
	}
	if o.packedLine == 0 {
		root, err := wire.JSON(text)
		if err != nil {
			return nil // it was made here
		}
		return root
	}
	if b.skim.triggers == nil {
		b.skim.triggers = &triggerSet{}
	}
	b.trees.most = max(b.trees.most, smallSlab)
	b.trees.room.clear()
	if root := b.skim.rebuildBy(&b.trees, text, o.packedLine, true); root != nil {
		return root
	}
	trees, _ := parseYAML(text, o.packedLine)
	if len(trees) == 0 {
		return nil
	}
	return trees[0].root
}

// Outlines gives the bodies of gathered objects without some of their fields. They
// last, in memory that they share. The zero value is ready, and safe for concurrent
// use.
type Outlines struct {
	mu    sync.Mutex
	skim  skimmer
	trees builder
}

// Of gives an object's body as Tree does, but for the values of fields of some
// names, which may be null in it: of an object that was gathered, what stands
// below them is then not made. Places are those of Tree.
func (all *Outlines) Of(o *Object, leave ...string) *wire.Value {
	if text := o.text(); o.Root == nil && text != nil && o.packedLine != 0 {
		if root := all.make(text, o.packedLine, leave); root != nil {
			return root
		}
	}
	return o.Tree()
}

func (all *Outlines) make(text []byte, line int, leave []string) *wire.Value {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.skim.triggers == nil {
		all.skim.triggers = &triggerSet{}
	}
	all.trees.most = smallSlab
	all.skim.leave.names = leave
	root := all.skim.rebuildBy(&all.trees, text, line, true)
	all.trees.room.leave()
	return root
}
