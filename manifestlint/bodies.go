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
	b.trees.most = max(b.trees.most, smallSlab)
	b.trees.room.clear()
	switch at := o.packedAt; {
	case at.Line == 0:
		return jsonTree(&b.trees.room, text, wire.Pos{Line: 1, Column: 1}, true)
	case at.Column > 0:
		return jsonTree(&b.trees.room, text, at, true)
	}
	if b.skim.triggers == nil {
		b.skim.triggers = &triggerSet{}
	}
	if root := b.skim.rebuildBy(&b.trees, text, o.packedAt.Line, true); root != nil {
		return root
	}
	trees, _ := parseYAML(text, o.packedAt.Line)
	if len(trees) == 0 {
		return nil
	}
	return trees[0].root
}

// Outlines gives the bodies of gathered objects without some of their fields. They
// last. The zero value is ready, and safe for concurrent use.
type Outlines struct {
	mu    sync.Mutex
	skim  skimmer
	trees builder
}

// Of gives an object's body as Tree does, but for the values of fields of some
// names, which may be null in it: of an object that was gathered, what stands
// below them is then not made. Places are those of Tree.
func (all *Outlines) Of(o *Object, leave ...string) *wire.Value {
	if text := o.text(); o.Root == nil && text != nil && o.packedAt.Line > 0 {
		if root := all.make(text, o.packedAt, leave); root != nil {
			return root
		}
	}
	return o.Tree()
}

func (all *Outlines) make(text []byte, at wire.Pos, leave []string) *wire.Value {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.trees.room.clear()
	if at.Column > 0 {
		if root := jsonTree(&all.trees.room, text, at, true, leave...); root != nil {
			return compact(root)
		}
		return nil
	}
	if all.skim.triggers == nil {
		all.skim.triggers = &triggerSet{}
		all.trees.most = largeSlab
	}
	all.skim.leave.names = leave
	root := all.skim.rebuildBy(&all.trees, text, at.Line, true)
	if root != nil && len(all.trees.anchors) == 0 { // with them it may be no tree
		return compact(root)
	}
	if root != nil {
		root = all.skim.rebuild(text, at.Line, true)
	}
	return root
}

// compact copies a tree into memory that is just as large as it needs.
func compact(root *wire.Value) *wire.Value {
	var parts struct {
		values []wire.Value
		fields []wire.Field
		items  []*wire.Value
	}
	values, fields, items := 0, 0, 0
	var count func(v *wire.Value)
	count = func(v *wire.Value) {
		values, fields, items = values+1, fields+len(v.Fields), items+len(v.Items)
		for i := range v.Fields {
			count(v.Fields[i].Value)
		}
		for _, item := range v.Items {
			count(item)
		}
	}
	count(root)
	parts.values, parts.fields, parts.items = make([]wire.Value, 0, values), make([]wire.Field, 0, fields), make([]*wire.Value, 0, items)
	var move func(v *wire.Value) *wire.Value
	move = func(v *wire.Value) *wire.Value {
		parts.values = append(parts.values, *v)
		to := &parts.values[len(parts.values)-1]
		if n := len(v.Fields); n > 0 {
			from := len(parts.fields)
			parts.fields = append(parts.fields, v.Fields...)
			to.Fields = parts.fields[from : from+n : from+n]
		}
		if n := len(v.Items); n > 0 {
			from := len(parts.items)
			parts.items = append(parts.items, v.Items...)
			to.Items = parts.items[from : from+n : from+n]
		}
		for i := range to.Fields {
			to.Fields[i].Value = move(to.Fields[i].Value)
		}
		for i, item := range to.Items {
			to.Items[i] = move(item)
		}
		return to
	}
	return move(root)
}
