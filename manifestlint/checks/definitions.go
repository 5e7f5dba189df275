package checks

import (
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/projects"
)

// definitions are the custom resource definitions of a set. A repository can
// contain several different ones for one kind, and the cluster may have any of
// them. The checks then report only messages that the server sends with all of
// them.
//
// Definitions are large, and most sets have no objects of their kinds.
// Therefore a definition is read when the first object of its kind appears.
type definitions struct {
	groups map[string][]*objectcontext.Object

	mu        sync.Mutex
	kinds     map[groupKind][]*objectcontext.Object // in the order of the inputs
	schemas   Schemas                               // nil: none
	partial   map[*objectcontext.Object]bool        // made from schemas
	different map[groupKind][]*objectcontext.Object // without equal ones
	served    map[string]map[string]bool            // by group, the versions of all kinds
	read      map[*objectcontext.Object]*customresource.Definition
	readSize  int // in bytes of JSON
}

type groupKind struct{ group, kind string }

// Schemas find schemas of kinds that have no definition in a set.
type Schemas interface {
	// Definition returns a custom resource definition with the known versions of a
	// kind; nil if there are none. A Set does not call it concurrently.
	Definition(group, kind string) *objectcontext.Object
}

const (
	// maxDefinitions bounds the different definitions of one kind. A kind with
	// more of them gets no answers.
	maxDefinitions = 8
	// maxRead bounds the definitions that are kept after reading, in bytes of
	// JSON. Their trees and schemas need ten times as much.
	maxRead = 8 << 20
)

// newDefinitions returns the definitions among the context objects.
func newDefinitions(context []objectcontext.Object) *definitions {
	all := &definitions{
		partial: map[*objectcontext.Object]bool{},
		kinds:   map[groupKind][]*objectcontext.Object{}, groups: map[string][]*objectcontext.Object{},
		different: map[groupKind][]*objectcontext.Object{}, served: map[string]map[string]bool{},
		read: map[*objectcontext.Object]*customresource.Definition{},
	}
	for i := range context {
		o := &context[i]
		if o.Kind != definitionKind {
			continue
		}
		group := o.Group
		if group == "" {
			_, group, _ = strings.Cut(o.Name, ".") // the name is PLURAL.GROUP
		}
		gk := groupKind{group, o.Defines}
		all.kinds[gk] = append(all.kinds[gk], o)
		all.groups[group] = append(all.groups[group], o)
	}
	return all
}

// of returns the different definitions of a kind, in the order of the inputs;
// none if there are too many.
func (all *definitions) of(group, kind string) []*customresource.Definition {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.withoutCopies(groupKind{group, kind})
	if len(objects) > maxDefinitions {
		return nil
	}
	return all.definitions(objects)
}

// last returns the last of the different definitions of a kind; nil if there
// is none.
func (all *definitions) last(group, kind string) *customresource.Definition {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.withoutCopies(groupKind{group, kind})
	if len(objects) == 0 {
		return nil
	}
	return all.definition(objects[len(objects)-1])
}

// definitions reads several objects and skips those that are not definitions.
func (all *definitions) definitions(objects []*objectcontext.Object) []*customresource.Definition {
	var found []*customresource.Definition
	for _, o := range objects {
		if d := all.definition(o); d != nil {
			found = append(found, d)
		}
	}
	return found
}

// withoutCopies returns the objects that define a kind. The last of several
// equal ones counts.
func (all *definitions) withoutCopies(gk groupKind) []*objectcontext.Object {
	found, known := all.different[gk]
	if known {
		return found
	}
	for _, o := range all.objects(gk) {
		if all.definition(o) == nil {
			continue
		}
		found = slices.DeleteFunc(found, func(before *objectcontext.Object) bool { return all.same(o, before) })
		if len(found) <= maxDefinitions {
			found = append(found, o)
		}
	}
	all.different[gk] = found
	return found
}

// objects returns the objects that define a kind. If there are none, one is made
// from the schemas of the kind.
func (all *definitions) objects(gk groupKind) []*objectcontext.Object {
	found, known := all.kinds[gk]
	if !known && all.schemas != nil {
		if object := all.schemas.Definition(gk.group, gk.kind); object != nil {
			found = []*objectcontext.Object{object}
			all.partial[object] = true
		}
		all.kinds[groupKind{strings.Clone(gk.group), strings.Clone(gk.kind)}] = found
	}
	return found
}

// has reports whether there is a definition of a kind, and whether there is one or
// a schema of a version.
func (all *definitions) has(group, kind, version string) (defined, described bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.objects(groupKind{group, kind})
	if len(objects) == 1 && all.partial[objects[0]] {
		return false, all.definition(objects[0]).Version(version) != nil
	}
	return len(objects) > 0, len(objects) > 0
}

// same reports whether two definitions of a kind are equal.
func (all *definitions) same(a, b *objectcontext.Object) bool {
	return a.SameBody(b) || all.definition(a).Same(all.definition(b))
}

// definition reads a definition, or returns it if it was read recently; nil if
// the object is not a definition.
func (all *definitions) definition(o *objectcontext.Object) *customresource.Definition {
	d, known := all.read[o]
	if known {
		return d
	}
	if all.readSize += o.Size(); all.readSize > maxRead {
		clear(all.read)
		all.readSize = o.Size()
	}
	if read, ok := customresource.Read(o.Body()); ok {
		d = read
		d.Partial = all.partial[o]
	}
	all.read[o] = d
	return d
}

// servesVersion reports whether any kind of a group is served in a version. The
// server's error for an unknown kind depends on that.
func (all *definitions) servesVersion(group, version string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	served, known := all.served[group]
	if !known {
		served = map[string]bool{}
		for _, o := range all.groups[group] {
			if d := all.definition(o); d != nil {
				for _, v := range d.Served() {
					served[strings.Clone(v)] = true
				}
			}
		}
		all.served[group] = served
	}
	return served[version]
}

// outdated reports whether the definitions of a kind are older than an object: they
// lack its version, which the newest release of the kind's project serves. It returns
// false if the user declared the release in the cluster.
func (all *definitions) outdated(group, kindName, version string) bool {
	if slices.ContainsFunc(all.kinds[groupKind{group, kindName}], func(o *objectcontext.Object) bool { return o.Given }) {
		return false
	}
	for _, d := range all.of(group, kindName) {
		if d.Version(version) != nil || !isNewer(d, version) {
			return false
		}
	}
	kind, ok := projects.LookupKind(group, kindName)
	if !ok {
		return false
	}
	v, ok := kind.Version(version)
	return ok && v.At(kind.Project().Newest()).State.Serves()
}

// Definition returns the custom resource definition of a group's kind; nil if
// the set has none. The last of several is returned, as if they were applied to
// a server in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	return s.definitions.last(group, kind)
}

// defines reports whether the set has a definition of an object's kind. It says which
// versions the server has and which of them are deprecated.
func (s *Set) defines(o *manifestlint.Object) bool {
	if s == nil {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	defined, _ := s.definitions.has(group, o.Kind, version)
	return defined
}

// Describes reports whether the set has a definition of an object's kind, or a schema
// of its version. A definition among the inputs does not count if it is older than
// the version.
func (s *Set) Describes(o *manifestlint.Object) bool {
	if s == nil {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	defined, described := s.definitions.has(group, o.Kind, version)
	return described && !(defined && s.definitions.outdated(group, o.Kind, version))
}

// customResource returns the resource of a custom resource, if its definition
// in the set serves its version.
func (s *Set) customResource(o *manifestlint.Object) (Resource, bool) {
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	d := s.Definition(group, o.Kind)
	if v := d.Version(version); v == nil || !v.Served {
		return Resource{}, false
	}
	if d.Plural == "" {
		return Resource{Plural: likelyPlural(o.Kind), Namespaced: true}, true
	}
	return Resource{Plural: d.Plural, Namespaced: d.Namespaced}, true
}

// likelyPlural returns the name that a resource has unless its author chose another
// one, for a kind whose schema does not say it (UnsafeGuessKindToResource of
// k8s.io/apimachinery/pkg/api/meta/restmapper.go).
func likelyPlural(kind string) string {
	name := strings.ToLower(kind)
	if strings.HasSuffix(name, "s") {
		return name + "es"
	}
	if singular, ok := strings.CutSuffix(name, "y"); ok {
		return singular + "ies"
	}
	return name + "s"
}

// customAnswer returns the server's answer to a custom resource. It contains only
// messages that all definitions of the kind lead to.
func (s *Set) customAnswer(t lifecycle.Target, server apiserver.Server, r apiserver.Request) apiserver.Answer {
	if s == nil {
		return apiserver.Answer{}
	}
	group, version := customresource.SplitGroupVersion(r.APIVersion)
	all := s.definitions.of(group, r.Kind)
	if len(all) == 0 {
		return apiserver.Answer{}
	}
	around := answer.Surroundings{Admission: s.admissionOf(t, server.Minor)}
	a := answer.ToCustom(server, all[0], r, around)
	for _, d := range all[1:] {
		if len(a.Causes)+len(a.Warnings) == 0 {
			break
		}
		a = common(a, answer.ToCustom(server, d, r, around))
	}
	if len(a.Causes) == 1 && a.Causes[0].Text == customresource.NotServed && s.definitions.servesVersion(group, version) {
		a.Causes[0].Text = customresource.NoResource
	}
	return a
}

// common returns the errors and warnings of answer a that answer b contains too.
func common(a, b apiserver.Answer) apiserver.Answer {
	a.Causes = slices.DeleteFunc(a.Causes, func(c apiserver.Cause) bool {
		return !slices.ContainsFunc(b.Causes, func(d apiserver.Cause) bool { return c.Field == d.Field && c.Text == d.Text && c.Code == d.Code })
	})
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
		return !slices.ContainsFunc(b.Warnings, func(x apiserver.Warning) bool { return w.Text == x.Text })
	})
	return a
}
