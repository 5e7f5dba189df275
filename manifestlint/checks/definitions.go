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
// Definitions are large, and most have no objects among the inputs. A
// definition is therefore parsed when the first object of its kind appears.
type definitions struct {
	groups map[string][]*objectcontext.Object

	mu             sync.Mutex
	kinds          map[groupKind][]*objectcontext.Object // in the order of the inputs
	schemas        Schemas                               // nil for none
	fromSchemas    map[*objectcontext.Object]bool        // definitions that were made from schemas
	distinctOfKind map[groupKind][]*objectcontext.Object // the different definitions of each kind
	servedVersions map[string]map[string]bool            // the versions of all kinds of a group, by group
	parsed         map[*objectcontext.Object]*customresource.Definition
	parsedSize     int // in bytes of JSON
}

type groupKind struct{ group, kind string }

// Schemas finds schemas for kinds that have no definition in a set.
type Schemas interface {
	// Definition returns a custom resource definition that is made from schemas;
	// nil if the kind has none. A Set does not call it concurrently.
	Definition(group, kind string) *objectcontext.Object
}

const (
	// maxDefinitions is the largest number of different definitions of one kind.
	// Custom resources of a kind with more definitions are not checked.
	maxDefinitions = 8
	// maxParsed is the largest total size of parsed definitions in memory, in
	// bytes of JSON. The parsed form needs ten times this memory.
	maxParsed = 8 << 20
)

// newDefinitions returns the definitions among the context objects.
func newDefinitions(context []objectcontext.Object) *definitions {
	all := &definitions{
		fromSchemas: map[*objectcontext.Object]bool{},
		kinds:       map[groupKind][]*objectcontext.Object{}, groups: map[string][]*objectcontext.Object{},
		distinctOfKind: map[groupKind][]*objectcontext.Object{}, servedVersions: map[string]map[string]bool{},
		parsed: map[*objectcontext.Object]*customresource.Definition{},
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

// distinct returns the different definitions of a kind, in the order of the
// inputs; nil if there are more than maxDefinitions.
func (all *definitions) distinct(group, kind string) []*customresource.Definition {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.distinctObjects(groupKind{group, kind})
	if len(objects) > maxDefinitions {
		return nil
	}
	return all.parseAll(objects)
}

// lastDefinition returns the last of the different definitions of a kind; nil
// for none.
func (all *definitions) lastDefinition(group, kind string) *customresource.Definition {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.distinctObjects(groupKind{group, kind})
	if len(objects) == 0 {
		return nil
	}
	return all.parse(objects[len(objects)-1])
}

// parseAll parses several objects. It skips objects that are not definitions.
func (all *definitions) parseAll(objects []*objectcontext.Object) []*customresource.Definition {
	var found []*customresource.Definition
	for _, o := range objects {
		if d := all.parse(o); d != nil {
			found = append(found, d)
		}
	}
	return found
}

// distinctObjects returns the different definitions of a kind. Of equal
// definitions, it returns the last.
func (all *definitions) distinctObjects(gk groupKind) []*objectcontext.Object {
	found, known := all.distinctOfKind[gk]
	if known {
		return found
	}
	for _, o := range all.objects(gk) {
		if all.parse(o) == nil {
			continue
		}
		found = slices.DeleteFunc(found, func(before *objectcontext.Object) bool { return all.equal(o, before) })
		if len(found) <= maxDefinitions {
			found = append(found, o)
		}
	}
	all.distinctOfKind[gk] = found
	return found
}

// objects returns the definitions of a kind. If there are none, it makes one
// from the schemas of the kind.
func (all *definitions) objects(gk groupKind) []*objectcontext.Object {
	found, known := all.kinds[gk]
	if !known && all.schemas != nil {
		if object := all.schemas.Definition(gk.group, gk.kind); object != nil {
			found = []*objectcontext.Object{object}
			all.fromSchemas[object] = true
		}
		all.kinds[groupKind{strings.Clone(gk.group), strings.Clone(gk.kind)}] = found
	}
	return found
}

// lookUp reports whether a kind has a definition, and whether a definition or a
// schema describes its version.
func (all *definitions) lookUp(group, kind, version string) (defined, described bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	objects := all.objects(groupKind{group, kind})
	if len(objects) == 1 && all.fromSchemas[objects[0]] {
		return false, all.parse(objects[0]).Version(version) != nil
	}
	return len(objects) > 0, len(objects) > 0
}

// equal reports whether two definitions of a kind are equal.
func (all *definitions) equal(a, b *objectcontext.Object) bool {
	return a.SameBody(b) || all.parse(a).Same(all.parse(b))
}

// parse returns a parsed definition, or nil if the object is not a definition.
// It caches recently parsed definitions.
func (all *definitions) parse(o *objectcontext.Object) *customresource.Definition {
	d, known := all.parsed[o]
	if known {
		return d
	}
	if all.parsedSize += o.Size(); all.parsedSize > maxParsed {
		clear(all.parsed)
		all.parsedSize = o.Size()
	}
	if read, ok := customresource.Read(o.Body()); ok {
		d = read
		d.Partial = all.fromSchemas[o]
	}
	all.parsed[o] = d
	return d
}

// servesVersion reports whether the definitions serve any kind of a group in a
// version. The server's error for an unknown kind depends on it.
func (all *definitions) servesVersion(group, version string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	served, known := all.servedVersions[group]
	if !known {
		served = map[string]bool{}
		for _, o := range all.groups[group] {
			if d := all.parse(o); d != nil {
				for _, v := range d.Served() {
					served[strings.Clone(v)] = true
				}
			}
		}
		all.servedVersions[group] = served
	}
	return served[version]
}

// isOutdated reports whether the definitions of a kind lack an object's version
// that the newest release of the kind's project serves. It returns false if the
// user said that the cluster has one of the definitions.
func (all *definitions) isOutdated(group, kindName, version string) bool {
	if slices.ContainsFunc(all.kinds[groupKind{group, kindName}], func(o *objectcontext.Object) bool { return o.Given }) {
		return false
	}
	for _, d := range all.distinct(group, kindName) {
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

// Definition returns the custom resource definition of a kind; nil for none. If
// there are several, it is the last one, as if all of them were applied to a
// server in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	return s.definitions.lastDefinition(group, kind)
}

// defines reports whether the set has a definition of an object's kind. A
// definition lists the server's versions and deprecates some of them.
func (s *Set) defines(o *manifestlint.Object) bool {
	if s == nil {
		return false
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	defined, _ := s.definitions.lookUp(group, o.Kind, version)
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
	defined, described := s.definitions.lookUp(group, o.Kind, version)
	return described && !(defined && s.definitions.isOutdated(group, o.Kind, version))
}

// customResource returns the resource of a custom resource. It returns false
// if the set has no definition that serves the object's version.
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

// likelyPlural returns the usual plural of a kind whose schema does not have
// the plural. It is the guess of UnsafeGuessKindToResource in
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
	all := s.definitions.distinct(group, r.Kind)
	if len(all) == 0 {
		return apiserver.Answer{}
	}
	surroundings := answer.Surroundings{Admission: s.admissionOf(t, server.Minor)}
	a := answer.ToCustom(server, all[0], r, surroundings)
	for _, d := range all[1:] {
		if len(a.Causes)+len(a.Warnings) == 0 {
			break
		}
		a = commonMessages(a, answer.ToCustom(server, d, r, surroundings))
	}
	if len(a.Causes) == 1 && a.Causes[0].Text == customresource.NotServed && s.definitions.servesVersion(group, version) {
		a.Causes[0].Text = customresource.NoResource
	}
	return a
}

// commonMessages returns answer a with only the errors and warnings that b
// contains too.
func commonMessages(a, b apiserver.Answer) apiserver.Answer {
	a.Causes = slices.DeleteFunc(a.Causes, func(c apiserver.Cause) bool {
		return !slices.ContainsFunc(b.Causes, func(d apiserver.Cause) bool { return c.Field == d.Field && c.Text == d.Text && c.Code == d.Code })
	})
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool {
		return !slices.ContainsFunc(b.Warnings, func(x apiserver.Warning) bool { return w.Text == x.Text })
	})
	return a
}
