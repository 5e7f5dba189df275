package manifestlint

import "github.com/kubevet/kubevet/rules/apiserver/wire"

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
