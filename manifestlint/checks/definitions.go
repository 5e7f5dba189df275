package checks

import (
	"bytes"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// definitions are the custom resource definitions of a set by group and kind,
// in the order of the inputs. Copies count once. A repository can hold several
// that differ, of which nobody knows which one is in the cluster; then only
// what all of them make the server say is said.
type definitions map[[2]string][]*crd

// crd is a definition, or one of many in a set, which is only read when
// an object of its kind turns up.
type crd struct {
	object *manifestlint.Object
	once   sync.Once
	read   *customresource.Definition
}

// get gives the definition; nil if it is none after all.
func (d *crd) get() *customresource.Definition {
	d.once.Do(func() {
		if d.read == nil {
			d.read, _ = customresource.Read(d.object.Tree())
		}
	})
	return d.read
}

// same reports whether two definitions are copies.
func (d *crd) same(other *crd) bool {
	if d.object.Packed() != nil || other.object.Packed() != nil {
		return bytes.Equal(d.object.Packed(), other.object.Packed())
	}
	return d.read.Same(other.read)
}

// newDefinition reads the head of an object that was packed, or all of
// another.
func newDefinition(o *manifestlint.Object) (d *crd, key [2]string) {
	root := o.Tree()
	d = &crd{object: o}
	if o.Packed() == nil {
		if d.read, _ = customresource.Read(root); d.read == nil {
			return nil, key
		}
		return d, [2]string{d.read.Group, d.read.Kind}
	}
	key = [2]string{root.At("spec", "group").StringOr(""), root.At("spec", "names", "kind").StringOr("")}
	if key[0] == "" || key[1] == "" {
		return nil, key
	}
	return d, key
}

// of gives the definitions of a kind.
func (all definitions) of(key [2]string) []*customresource.Definition {
	var found []*customresource.Definition
	for _, d := range all[key] {
		if read := d.get(); read != nil {
			found = append(found, read)
		}
	}
	return found
}

// maxDefinitions bounds how many different definitions of one kind are asked.
// A kind with more gets no answers.
const maxDefinitions = 8

func newDefinitions(given []manifestlint.Given) definitions {
	all := definitions{}
	for i := range given {
		o := given[i].Object
		if o.Kind != "CustomResourceDefinition" {
			continue
		}
		d, key := newDefinition(o)
		if d == nil {
			continue
		}
		if same := slices.IndexFunc(all[key], d.same); same >= 0 {
			d = all[key][same]
			all[key] = slices.Delete(all[key], same, same+1)
		}
		if len(all[key]) <= maxDefinitions {
			all[key] = append(all[key], d)
		}
	}
	return all
}

// Definition gives the custom resource definition of a group's kind; nil if the
// set has none. Of several the last counts, as it does for a server that gets
// them in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	all := s.definitions[[2]string{group, kind}]
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1].get()
}

// customResource is the resource that a definition of the set makes of an
// object's kind, if it serves the object's version.
func (s *Set) customResource(o *manifestlint.Object) (Resource, bool) {
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	d := s.Definition(group, o.Kind)
	if v := d.Version(version); v == nil || !v.Served {
		return Resource{}, false
	}
	return Resource{Plural: d.Plural, Namespaced: d.Namespaced}, true
}

// customAnswer is the answer to a custom resource: what the server says by all
// definitions of its kind.
func (s *Set) customAnswer(server apiserver.Server, r apiserver.Request) apiserver.Answer {
	if s == nil {
		return apiserver.Answer{}
	}
	group, version := customresource.SplitGroupVersion(r.APIVersion)
	all := s.definitions.of([2]string{group, r.Kind})
	if len(all) == 0 || len(all) > maxDefinitions {
		return apiserver.Answer{}
	}
	a := customresource.Answer(server, all[0], r)
	for _, d := range all[1:] {
		a = common(a, customresource.Answer(server, d, r))
	}
	if len(a.Causes) == 1 && a.Causes[0].Text == customresource.NotServed && s.servesVersion(group, version) {
		a.Causes[0].Text = customresource.NoResource
	}
	return a
}

// servesVersion reports whether any kind of a group is served in a version: the
// server answers otherwise to the kinds that are not.
func (s *Set) servesVersion(group, version string) bool {
	for key := range s.definitions {
		if key[0] != group {
			continue
		}
		for _, d := range s.definitions.of(key) {
			if v := d.Version(version); v != nil && v.Served {
				return true
			}
		}
	}
	return false
}

// common leaves what two answers have in common.
func common(a, b apiserver.Answer) apiserver.Answer {
	a.Causes = slices.DeleteFunc(a.Causes, func(c apiserver.Cause) bool {
		return !slices.ContainsFunc(b.Causes, func(d apiserver.Cause) bool { return c.Field == d.Field && c.Text == d.Text && c.Code == d.Code })
	})
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
		return !slices.ContainsFunc(b.Warnings, func(x apiserver.Warning) bool { return w.Text == x.Text })
	})
	return a
}
