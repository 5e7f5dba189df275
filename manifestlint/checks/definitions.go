package checks

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"weak"

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

	recent *recentDefinitions // of all groups

	mu    sync.Mutex
	all   map[int]weak.Pointer[customresource.Definition] // of objects
	kinds map[string][]int                                // the objects that define a kind, copies once
	named map[string][]int                                // the same with all copies

	outlines map[int]*customresource.Definition // of objects, as outline reads them
	outlined map[string]outlined
	index    *groupIndex // nil as long as nobody needs it
}

// outlined are the definitions of a kind without their schemas.
type outlined struct {
	different []*customresource.Definition // in the order of the inputs, equal ones once
	last      *customresource.Definition   // of all
	copies    int                          // how many there are, equal ones too
}

// maxDefinitions bounds how many different definitions of one kind are asked.
// A kind with more gets no answers.
const maxDefinitions = 8

func newDefinitions(given []manifestlint.Given) definitions {
	all := definitions{}
	recent := &recentDefinitions{left: maxRecent}
	var bodies manifestlint.Bodies
	for i := range given {
		o := given[i].Object
		if o.Kind != definitionKind {
			continue
		}
		group := definedGroup(o, &bodies)
		if all[group] == nil {
			group = strings.Clone(group) // it is a piece of a body
			all[group] = &groupDefinitions{recent: recent}
		}
		all[group].objects = append(all[group].objects, o)
	}
	return all
}

// definedGroup is the group of a definition, which a server wants to be its
// name's (apiextensions-apiserver, pkg/apis/apiextensions/validation,
// ValidateCustomResourceDefinition). One of another name is refused, yet as long
// as it is the only one it says what its author means.
func definedGroup(o *manifestlint.Object, bodies *manifestlint.Bodies) string {
	_, group, _ := strings.Cut(o.Name, ".")
	if root := o.Root; root != nil || group == "" {
		if root == nil {
			root = bodies.Of(o)
		}
		if named := root.At("spec", "group").StringOr(""); named != "" {
			return named
		}
	}
	return group
}

// of gives the definitions of a kind, in the order of the inputs; none if they
// are more than are asked.
func (all definitions) of(group, kind string) []*customresource.Definition {
	g := all[group]
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	defined := g.defined(kind)
	if len(defined) > maxDefinitions {
		return nil
	}
	found := make([]*customresource.Definition, len(defined))
	for n, i := range defined {
		found[n] = g.definition(i)
	}
	return found
}

// last gives the last of the definitions of a kind that differ; nil if there is
// none.
func (all definitions) last(group, kind string) *customresource.Definition {
	g := all[group]
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	defined := g.defined(kind)
	if len(defined) == 0 {
		return nil
	}
	return g.definition(defined[len(defined)-1])
}

// defined is what find gives, remembered.
func (g *groupDefinitions) defined(kind string) []int {
	defined, known := g.kinds[kind]
	if !known {
		defined = g.find(kind)
		if g.kinds == nil {
			g.kinds = map[string][]int{}
		}
		g.kinds[strings.Clone(kind)] = defined
	}
	return defined
}

// one gives a definition of a kind of which there are several, copies or not,
// such as the last; nil where there are not.
func (all definitions) one(group, kind string) *customresource.Definition {
	g := all[group]
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	named := g.naming(kind)
	if len(named) < 2 {
		return nil
	}
	return g.definition(named[len(named)-1])
}

// maxScans bounds for how many kinds the texts of a group are searched. From
// then on it has an index, as has one of more than maxOutlines definitions, of
// which no more outlines are remembered.
const (
	maxScans    = 4
	maxOutlines = 256
)

// naming gives the objects that define a kind.
func (g *groupDefinitions) naming(kind string) []int {
	if g.index != nil {
		return g.index.named[kind]
	}
	named, known := g.named[kind]
	if known {
		return named
	}
	if len(g.named) >= maxScans || len(g.objects) > maxOutlines || g.packedAway() {
		g.index = g.newIndex()
		return g.index.named[kind]
	}
	for i, o := range g.objects {
		if !spells(o, kind) {
			continue
		}
		if head := g.outline(i); head != nil && head.Kind == kind {
			named = append(named, i)
		}
	}
	if g.named == nil {
		g.named = map[string][]int{}
	}
	g.named[strings.Clone(kind)] = named
	return named
}

// find gives the objects that define a kind. Of copies the last one's place
// counts.
func (g *groupDefinitions) find(kind string) []int {
	var found []int
	for _, i := range g.naming(kind) {
		found = slices.DeleteFunc(found, func(before int) bool { return g.same(i, before) })
		if len(found) <= maxDefinitions {
			found = append(found, i)
		}
	}
	return found
}

// same reports whether two definitions of a kind say the same. They are read as
// a whole only where nothing less can tell.
func (g *groupDefinitions) same(a, b int) bool {
	if text := g.objects[a].FieldText("spec"); text != nil && bytes.Equal(text, g.objects[b].FieldText("spec")) {
		return true
	}
	return g.outline(a).Same(g.outline(b)) && g.whole(a).Same(g.whole(b))
}

// definition reads a definition, unless it is remembered, and remembers it; nil
// if it is none after all.
func (g *groupDefinitions) definition(i int) *customresource.Definition {
	d := g.whole(i)
	if d != nil && !g.recent.has(d) {
		g.recent.add(d, g.objects[i].PackedSize())
	}
	return d
}

// whole reads a definition, unless it is still there; nil if it is none after
// all.
func (g *groupDefinitions) whole(i int) *customresource.Definition {
	if d := g.all[i].Value(); d != nil {
		return d
	}
	d, ok := customresource.Read(g.objects[i].Tree())
	if !ok {
		return nil
	}
	if g.all == nil {
		g.all = map[int]weak.Pointer[customresource.Definition]{}
	}
	g.all[i] = weak.Make(d)
	return d
}

// outline reads a definition without its schemas, which are most of it; nil if
// it is none after all.
func (g *groupDefinitions) outline(i int) *customresource.Definition {
	d, known := g.outlines[i]
	if !known {
		if g.outlines == nil {
			g.outlines = map[int]*customresource.Definition{}
		}
		if len(g.outlines) >= maxOutlines {
			clear(g.outlines)
		}
		d = g.readOutline(g.objects[i])
		g.outlines[i] = d
	}
	return d
}

// outlined gives the definitions of a kind without their schemas.
func (all definitions) outlined(group, kind string) outlined {
	g := all[group]
	if g == nil {
		return outlined{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	found, known := g.outlined[kind]
	if known {
		return found
	}
	named := g.naming(kind)
	found.copies = len(named)
	for _, i := range named {
		found.last = found.add(g.outline(i))
	}
	if g.outlined == nil {
		g.outlined = map[string]outlined{}
	}
	g.outlined[strings.Clone(kind)] = found
	return found
}

// add gives what a definition is equal to, which is itself if it is the first of
// its sort. Of a kind that has very many only the last ones are compared.
func (o *outlined) add(d *customresource.Definition) *customresource.Definition {
	const compared = 32
	for _, known := range o.different[max(0, len(o.different)-compared):] {
		if d.Same(known) && d.At.Get("apiVersion").StringOr("") == known.At.Get("apiVersion").StringOr("") {
			return known
		}
	}
	o.different = append(o.different, d)
	return d
}

// spells reports whether an object may be a definition of a kind: a text that
// does not spell the kind, in JSON with no escapes either, defines another one.
func spells(o *manifestlint.Object, kind string) bool {
	text := o.Packed()
	return text == nil || bytes.Contains(text, []byte(kind)) || bytes.Contains(text, []byte(`\u`))
}

// serves reports whether a kind of the group is served in a version.
func (g *groupDefinitions) serves(version string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.index == nil {
		g.index = g.newIndex()
	}
	return g.index.served[version]
}

// Definition gives the custom resource definition of a group's kind; nil if the
// set has none. Of several the last counts, as it does for a server that gets
// them in turn.
func (s *Set) Definition(group, kind string) *customresource.Definition {
	if s == nil {
		return nil
	}
	return s.definitions.last(group, kind)
}

// defines reports whether the set has a definition of a kind.
func (s *Set) defines(group, kind string) bool {
	return s != nil && s.definitions.outlined(group, kind).copies > 0
}

// outline gives what Definition gives, without its schemas.
func (s *Set) outline(group, kind string) *customresource.Definition {
	return s.definitions.outlined(group, kind).last
}

// current reports whether all definitions of an object's kind serve its version
// and none deprecates it.
func (s *Set) current(o *manifestlint.Object) bool {
	if s == nil {
		return true
	}
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	for _, d := range s.definitions.outlined(group, o.Kind).different {
		if v := d.Version(version); v == nil || !v.Served || v.Deprecated {
			return false
		}
	}
	return true
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
	group, _ := customresource.SplitGroupVersion(r.APIVersion)
	if d := s.definitions.one(group, r.Kind); d != nil {
		// Where one makes the server say nothing, there is nothing that all do.
		if a := customresource.Answer(server, d, r); len(a.Causes)+len(a.Warnings) == 0 {
			return a
		}
	}
	return s.agreed(server, r, s.definitions.of(group, r.Kind), customresource.Answer)
}

// versionAnswer is what customAnswer says of an object's version alone.
func (s *Set) versionAnswer(server apiserver.Server, r apiserver.Request) apiserver.Answer {
	group, _ := customresource.SplitGroupVersion(r.APIVersion)
	found := s.definitions.outlined(group, r.Kind)
	all := found.different
	if found.copies > maxDefinitions { // fewer if copies count once
		all = s.definitions.of(group, r.Kind)
	}
	return s.agreed(server, r, all, customresource.VersionAnswer)
}

// agreed is what a server says by all of some definitions.
func (s *Set) agreed(server apiserver.Server, r apiserver.Request, all []*customresource.Definition,
	answer func(apiserver.Server, *customresource.Definition, apiserver.Request) apiserver.Answer) apiserver.Answer {
	group, version := customresource.SplitGroupVersion(r.APIVersion)
	if len(all) == 0 {
		return apiserver.Answer{}
	}
	a := answer(server, all[0], r)
	for _, d := range all[1:] {
		a = common(a, answer(server, d, r))
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
