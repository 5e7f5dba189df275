package checks

import (
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// groupIndex says what the definitions of a group define, without keeping any of
// them.
type groupIndex struct {
	named  map[string][]int // the objects that define a kind, copies too
	served map[string]bool  // the versions in which any kind is served
}

// newIndex reads all definitions of the group, each once.
func (g *groupDefinitions) newIndex() *groupIndex {
	x := &groupIndex{named: map[string][]int{}, served: map[string]bool{}}
	for i, o := range g.objects {
		d, known := g.outlines[i]
		if !known {
			d = g.readOutline(o)
		}
		if d == nil {
			continue
		}
		named, known := x.named[d.Kind]
		if !known {
			d.Kind = strings.Clone(d.Kind)
		}
		x.named[d.Kind] = append(named, i)
		for _, version := range d.Served() {
			if !x.served[version] {
				x.served[strings.Clone(version)] = true
			}
		}
	}
	clear(g.outlines)
	g.named = nil
	return x
}

// packedAway reports whether to search the texts of the group is as much work as
// to read them.
func (g *groupDefinitions) packedAway() bool {
	for _, o := range g.objects {
		if o.Packed() == nil && o.Root == nil {
			return true
		}
	}
	return false
}

// leftOut are the fields of a definition that say nothing of its versions.
var leftOut = []string{"openAPIV3Schema", "additionalPrinterColumns", "metadata", "status"}

// readOutline reads a definition without what its outline leaves out; nil if it is
// none.
func (g *groupDefinitions) readOutline(o *manifestlint.Object) *customresource.Definition {
	d, _ := customresource.Read(g.recent.outlines.Of(o, leftOut...))
	return d
}
