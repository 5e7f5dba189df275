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
// contain several different definitions of one kind, and it is unknown which
// one the cluster has. The checks then report only messages that the server
// sends with each of these definitions.
//
// Definitions are large, and most definitions have no objects among the inputs.
// A definition is therefore parsed when the first object of its kind appears.
type definitions struct {
	groups map[string][]*objectcontext.Object

	mu        sync.Mutex
	kinds     map[groupKind][]*objectcontext.Object // in the order of the inputs
	schemas   Schemas                               // nil for none
	partial   map[*objectcontext.Object]bool        // made from schemas
	different map[groupKind][]*objectcontext.Object // kinds without equal definitions
	served    map[string]map[string]bool            // by group, the versions of all kinds
	read      map[*objectcontext.Object]*customresource.Definition
	readSize  int // in bytes of JSON
}

type groupKind struct{ group, kind string }

// Schemas finds schemas for kinds that have no definition in a set.
type Schemas interface {
	// Definition returns a custom resource definition that is made from
	// schemas; nil if the kind has none. A Set does not call it concurrently.
	Definition(group, kind string) *objectcontext.Object
}

const (
	// maxDefinitions is the largest number of different definitions of one
	// kind. Custom resources of a kind with more definitions are not checked.
	maxDefinitions = 8
	// maxRead is the largest total size of parsed definitions in memory, in
	// bytes of JSON. The parsed form needs ten times this memory.
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

// of returns the different definitions of a kind, in the order of the inputs.
// It returns nil if there are more than maxDefinitions.
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

// definitions parses several objects. It skips objects that are not
// definitions.
func (all *definitions) definitions(objects []*objectcontext.Object) []*customresource.Definition {
	var found []*customresource.Definition
	for _, o := range objects {
		if d := all.definition(o); d != nil {
			found = append(found, d)
		}
	}
	return found
}

// withoutCopies returns the different definitions of a kind. If several
// definitions are equal, it returns the last of them.
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

// objects returns the definitions of a kind. If there are none, it makes one
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

// has reports whether a kind has a definition, and whether its version is
// described by a definition or a schema.
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

// definition returns a parsed definition. It returns nil if the object is not a
// definition. Recently parsed definitions are cached.
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

// servesVersion reports whether the definitions serve any kind of a group in a
// version. The server's error for an unknown kind depends on it.
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

// outdated reports whether the definitions of a kind are older than an object.
// They are older if they do not have the object's version, but the newest
// release of the kind's project serves this version. outdated returns false if
// the user said that the cluster has one of the definitions.
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

// Definition returns the custom resource definition of a kind; nil if the set
// has none. If there are several definitions, it returns the last one, as if
// all of them were applied to a server in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	return s.definitions.last(group, kind)
}

// defines reports whether the set has a definition of an object's kind. Such a
// definition says which versions the server has, and which are deprecated.
func (s *Set) defines(o *manifestlint.Object) bool {
	if s == nil {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	defined, _ := s.definitions.has(group, o.Kind, version)
	return defined
}

// Describes reports whether the set has a definition of an object's kind, or a
// schema of its version. It ignores definitions among the inputs that are older
// than the object's version.
func (s *Set) Describes(o *manifestlint.Object) bool {
	if s == nil {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	defined, described := s.definitions.has(group, o.Kind, version)
	return described && !(defined && s.definitions.outdated(group, o.Kind, version))
}

// customResource returns the resource of a custom resource. ok is false if the
// set has no definition that serves the object's version.
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

// likelyPlural returns the usual plural of a kind, for a kind whose schema does
// not have the plural. It is the guess of UnsafeGuessKindToResource in
// k8s.io/apimachinery/pkg/api/meta/restmapper.go.
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

// customAnswer returns the server's answer to a custom resource. If the kind
// has several definitions, the answer has only the messages that all of them
// cause.
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

// common returns answer a without the errors and warnings that b does not
// contain.
func common(a, b apiserver.Answer) apiserver.Answer {
	a.Causes = slices.DeleteFunc(a.Causes, func(c apiserver.Cause) bool {
		return !slices.ContainsFunc(b.Causes, func(d apiserver.Cause) bool { return c.Field == d.Field && c.Text == d.Text && c.Code == d.Code })
	})
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
		return !slices.ContainsFunc(b.Warnings, func(x apiserver.Warning) bool { return w.Text == x.Text })
	})
	return a
}
