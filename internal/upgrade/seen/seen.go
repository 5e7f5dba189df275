// Package seen is the objects that checks of an upgrade look at, wherever they were
// found.
package seen

import (
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Object is one object or configuration file.
type Object struct {
	// Ref names it. Files without an API version have the zero value.
	Ref rules.ObjectRef
	// Root is its body.
	Root *wire.Value
	// Live reports that it is an object of a cluster, read from there or from a file
	// with a copy; others are what somebody may apply.
	Live bool
	// Place returns the evidence for a position in the object, without a text.
	Place func(wire.Pos) upgrade.Evidence
}

// Fact returns a fact of a category about a position in the object. The caller adds
// what it says; the owner is the reader's.
func (o *Object) Fact(category, subject string, at wire.Pos) upgrade.Fact {
	e := o.Place(at)
	if o.Ref.Kind != "" {
		e.Object = o.Ref.String()
	} else {
		e.Text = "set here"
	}
	return upgrade.Fact{Category: category, Subject: subject, Evidence: e, Ref: o.Ref}
}

// Name names the object within its kind.
func (o *Object) Name() string {
	if o.Ref.Namespace == "" {
		return o.Ref.Name
	}
	return o.Ref.Namespace + "/" + o.Ref.Name
}

// Position returns where a value is, or where the object begins for none.
func (o *Object) Position(v *wire.Value) wire.Pos {
	if v == nil {
		v = o.Root
	}
	return v.Pos
}

// A Check collects facts from objects, which it sees in their order.
type Check interface {
	See(*Object)
	// Facts returns what was found. It is called once, after all objects.
	Facts() []upgrade.Fact
}
