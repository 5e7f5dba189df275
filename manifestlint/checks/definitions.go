package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// definitions are the custom resource definitions of a set by group and kind,
// in the order of the inputs. Copies count once. A repository can hold several
// that differ, of which nobody knows which one is in the cluster; then only
// what all of them make the server say is said.
type definitions map[[2]string][]*customresource.Definition

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
		d, ok := customresource.Read(o.Root)
		if !ok {
			continue
		}
		key := [2]string{d.Group, d.Kind}
		if same := slices.IndexFunc(all[key], d.Same); same >= 0 {
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
	return all[len(all)-1]
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
	all := s.definitions[[2]string{group, r.Kind}]
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
	for key, all := range s.definitions {
		if key[0] != group {
			continue
		}
		for _, d := range all {
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
