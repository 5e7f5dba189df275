package checks

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// definitions are the custom resource definitions of a set by group. Copies
// count once. A repository can hold several of one kind that differ, of which
// nobody knows which one is in the cluster; then only what all of them make the
// server say is said.
type definitions map[string]*groupDefinitions

// groupDefinitions are the definitions of a group. They are large, and most
// sets hold no object of their kinds: each is read when one turns up.
type groupDefinitions struct {
	objects []*manifestlint.Object // in the order of the inputs

	mu    sync.Mutex
	all   []*customresource.Definition // of objects, where they were read
	read  []bool
	kinds map[string][]*customresource.Definition
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
		group := definedGroup(o)
		if all[group] == nil {
			all[group] = &groupDefinitions{}
		}
		all[group].objects = append(all[group].objects, o)
	}
	return all
}

// definedGroup is the group of a definition, which a server wants to be its
// name's (apiextensions-apiserver, pkg/apis/apiextensions/validation,
// ValidateCustomResourceDefinition). One of another name is refused, yet as long
// as it is the only one it says what its author means.
func definedGroup(o *manifestlint.Object) string {
	_, group, _ := strings.Cut(o.Name, ".")
	if root := o.Root; root != nil || group == "" {
		if root == nil {
			root = o.Tree()
		}
		if named := root.At("spec", "group").StringOr(""); named != "" {
			return named
		}
	}
	return group
}

// of gives the definitions of a kind, in the order of the inputs.
func (all definitions) of(group, kind string) []*customresource.Definition {
	g := all[group]
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	found, known := g.kinds[kind]
	if !known {
		found = g.find(kind)
		if g.kinds == nil {
			g.kinds = map[string][]*customresource.Definition{}
		}
		g.kinds[kind] = found
	}
	return found
}

// find reads the definitions of a kind. A text that does not spell the kind
// defines another one. Of copies the last one's place counts.
func (g *groupDefinitions) find(kind string) []*customresource.Definition {
	var found []*customresource.Definition
	for i, o := range g.objects {
		if text := o.Packed(); text != nil && !bytes.Contains(text, []byte(kind)) {
			continue
		}
		d := g.definition(i)
		if d == nil || d.Kind != kind {
			continue
		}
		found = slices.DeleteFunc(found, d.Same)
		if len(found) <= maxDefinitions {
			found = append(found, d)
		}
	}
	return found
}

// definition reads a definition; nil if it is none after all.
func (g *groupDefinitions) definition(i int) *customresource.Definition {
	if g.all == nil {
		g.all, g.read = make([]*customresource.Definition, len(g.objects)), make([]bool, len(g.objects))
	}
	if !g.read[i] {
		g.read[i] = true
		g.all[i], _ = customresource.Read(g.objects[i].Tree())
	}
	return g.all[i]
}

// serves reports whether a kind of the group is served in a version.
func (g *groupDefinitions) serves(version string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.objects {
		if v := g.definition(i).Version(version); v != nil && v.Served {
			return true
		}
	}
	return false
}

// Definition gives the custom resource definition of a group's kind; nil if the
// set has none. Of several the last counts, as it does for a server that gets
// them in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	all := s.definitions.of(group, kind)
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
	all := s.definitions.of(group, r.Kind)
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
func (s *Set) servesVersion(group, version string) bool { return s.definitions[group].serves(version) }

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
