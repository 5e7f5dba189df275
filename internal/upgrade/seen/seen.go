// Package seen defines the objects that the checks of an upgrade receive, from files or
// from a cluster.
package seen

import (
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Object is one object or configuration file.
type Object struct {
	// Ref identifies the object. It is zero for files without an API version.
	Ref rules.ObjectRef
	// Root is the content of the object.
	Root *wire.Value
	// Live is true if the object exists in a cluster, even if it was read from a file
	// with a copy. All other objects are manifests, which somebody may apply.
	Live bool
	// Place returns the evidence for a position in the object. Its Text is empty.
	Place func(wire.Pos) upgrade.Evidence
}

// Fact returns a fact about a position in the object. The check adds the text. The reader
// of the facts adds the owner.
func (o *Object) Fact(category, subject string, at wire.Pos) upgrade.Fact {
	e := o.Place(at)
	if o.Ref.Kind != "" {
		e.Object = o.Ref.String()
	} else {
		e.Text = "set here"
	}
	return upgrade.Fact{Category: category, Subject: subject, Evidence: e, Ref: o.Ref}
}

// Name returns "namespace/name", or the name of an object without a namespace.
func (o *Object) Name() string {
	if o.Ref.Namespace == "" {
		return o.Ref.Name
	}
	return o.Ref.Namespace + "/" + o.Ref.Name
}

// Position returns the position of a value, or of the object if v is nil.
func (o *Object) Position(v *wire.Value) wire.Pos {
	if v == nil {
		v = o.Root
	}
	return v.Pos
}

// Check collects facts about objects.
type Check interface {
	See(*Object)
	// Facts returns all facts. It is called once, after See was called for all objects.
	Facts() []upgrade.Fact
}
