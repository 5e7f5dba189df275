package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// firstWarning is the first minor whose server sends Warning headers
// (k8s.io/apiserver/pkg/endpoints/deprecation, feature gate WarningHeaders,
// on by default from its start).
const firstWarning = 19

// minors is a set of minors, bit n for 1.n, as in package lifecycle.
type minors uint64

func (s minors) has(m int) bool { return s&(1<<m) != 0 }

func (s *minors) add(m int) { *s |= 1 << m }

// table is what all releases together say; the generated code prints it.
type table struct {
	oldest, newest int
	apis           []*api
	gates          []*gate
}

// api is a line of the table of APIs.
type api struct {
	gvk
	class      string // the Go name of the class
	resource   string
	namespaced bool
	item       gvk
	successor  gvk
	introduced int

	servable, enabled minors
	gated             []gatedSpan
	history           []historySpan
	warnings          []warningSpan
}

type gatedSpan struct {
	minors minors
	gate   string
}

type historySpan struct {
	from                int
	deprecated, removed int // 0: none
	replacement         gvk
}

type warningSpan struct {
	minors minors
	text   string
}

// gate is a line of the table of gates.
type gate struct {
	name  string
	spans []gateSpan
}

type gateSpan struct {
	minors minors
	gateFact
}

// builder collects the APIs.
type builder struct {
	apis map[gvk]*api
	// kinds finds the kind of a resource that a release without a path for it
	// installs behind a gate.
	kinds map[gvr]*api
}

// buildTable merges the releases' facts, oldest first.
func buildTable(all []*facts) (*table, error) {
	b := builder{apis: map[gvk]*api{}, kinds: map[gvr]*api{}}
	t := &table{oldest: covered()[0].minor, newest: releases[len(releases)-1].minor}
	b.addBygone()
	for i, f := range all {
		b.addPaths(f, releases[i].minor)
	}
	for i, f := range all {
		b.addGated(f, releases[i].minor)
	}
	for i, f := range all {
		b.addLists(f)
		b.addMethods(f, releases[i].minor)
	}
	for _, a := range b.apis {
		a.finish()
		t.apis = append(t.apis, a)
	}
	// The order in which package lifecycle searches.
	slices.SortFunc(t.apis, func(a, b *api) int {
		return cmp.Or(cmp.Compare(groupVersion(a.Group, a.Version), groupVersion(b.Group, b.Version)), cmp.Compare(a.Kind, b.Kind))
	})
	t.gates = buildGates(all)
	return t, b.findSuccessors(t)
}

// addPaths notes which kinds a release has and which are on by default.
func (b *builder) addPaths(f *facts, minor int) {
	on := f.Defaults.enabled()
	gated := f.gatedResources()
	for _, p := range f.Paths {
		resource, _, isSub := strings.Cut(p.Resource, "/")
		path := gvr{p.PathGroup, p.PathVersion, resource}
		if isSub {
			// A subresource of the object's own kind adds nothing; options of
			// CONNECT requests are no objects.
			if !p.Create || strings.HasSuffix(p.Kind, "Options") || f.isResource(p.gvk) {
				continue
			}
		}
		a := b.apis[p.gvk]
		if a == nil {
			a = &api{gvk: p.gvk, class: "Resource", resource: p.Resource}
			if isSub {
				a.class = "Subresource"
			}
			b.apis[p.gvk] = a
		}
		a.servable.add(minor)
		a.namespaced = a.namespaced || p.Namespaced
		if on(path) {
			a.enabled.add(minor)
		}
		if !isSub {
			b.kinds[path] = a
		}
		for _, g := range gated[gvr{p.PathGroup, p.PathVersion, p.Resource}] {
			a.addGate(g, minor)
		}
	}
}

// isResource reports whether a kind has a path of its own.
func (f *facts) isResource(k gvk) bool {
	return slices.ContainsFunc(f.Paths, func(p servedPath) bool {
		return p.gvk == k && !strings.Contains(p.Resource, "/")
	})
}

// gatedResources maps resources to the gates that they need.
func (f *facts) gatedResources() map[gvr][]string {
	m := map[gvr][]string{}
	for _, g := range f.GatedResources {
		m[g.gvr] = append(m[g.gvr], g.Gates...)
	}
	return m
}

// enabled returns the test that ResourceConfig.ResourceEnabled makes. Before
// 1.24 a disabled version also disabled its enabled resources, but no release
// has such a pair.
func (c resourceConfig) enabled() func(gvr) bool {
	set := map[gvr]bool{}
	for _, r := range slices.Concat(c.EnabledVersions, c.EnabledResources) {
		set[r] = true
	}
	for _, r := range slices.Concat(c.DisabledVersions, c.DisabledResources) {
		set[r] = false
	}
	return func(r gvr) bool {
		if on, ok := set[r]; ok {
			return on
		}
		r.Resource = ""
		return set[r]
	}
}

// addGate notes that an API needs a gate at a minor.
func (a *api) addGate(name string, minor int) {
	for i := range a.gated {
		if a.gated[i].gate == name {
			a.gated[i].minors.add(minor)
			return
		}
	}
	var s minors
	s.add(minor)
	a.gated = append(a.gated, gatedSpan{s, name})
}

// openAPIWithAlpha is the first minor whose OpenAPI document was made with
// all alpha gates on (hack/update-openapi-spec.sh).
const openAPIWithAlpha = 21

// addGated notes resources that a release has but its OpenAPI document does
// not, because it was made with the gate off. In later releases a gated
// resource without a path is one that was removed, its code not yet.
func (b *builder) addGated(f *facts, minor int) {
	if minor >= openAPIWithAlpha {
		return
	}
	on := f.Defaults.enabled()
	for path, gates := range f.gatedResources() {
		a := b.kinds[path]
		if a == nil || a.servable.has(minor) {
			continue
		}
		a.servable.add(minor)
		if on(path) {
			a.enabled.add(minor)
		}
		for _, g := range gates {
			a.addGate(g, minor)
		}
	}
}

// addLists notes the kinds of lists of resources.
func (b *builder) addLists(f *facts) {
	for _, l := range f.Lists {
		item := b.apis[l.Item]
		if item == nil || item.class != "Resource" || b.apis[l.gvk] != nil {
			continue
		}
		b.apis[l.gvk] = &api{gvk: l.gvk, class: "List", item: l.Item}
	}
}

// addMethods notes a release's lifecycle values and the warnings of its
// server.
func (b *builder) addMethods(f *facts, minor int) {
	for _, m := range f.Methods {
		a := b.apis[m.gvk]
		if a == nil {
			continue
		}
		if m.Introduced > 0 {
			a.introduced = m.Introduced
		}
		h := historySpan{from: minor, deprecated: max(m.Deprecated, 0), removed: max(m.Removed, 0), replacement: m.Replacement}
		if n := len(a.history); n == 0 || !a.history[n-1].same(h) {
			a.history = append(a.history, h)
		}
		if text := warning(m, minor); text != "" && a.servable.has(minor) && a.class != "List" {
			a.addWarning(text, minor)
		}
	}
}

func (h historySpan) same(o historySpan) bool {
	o.from = h.from
	return h == o
}

// warning composes the text that the server of a minor sends about a kind,
// from the methods in that very release.
//
// Source: IsDeprecated and WarningMessage in k8s.io/apiserver
// pkg/endpoints/deprecation/deprecation.go, the same since 1.19.
func warning(m lifecycleMethods, minor int) string {
	if minor < firstWarning || m.Deprecated < 0 || m.Deprecated > minor {
		return ""
	}
	text := fmt.Sprintf("%s is deprecated in v1.%d+", m.gvk, m.Deprecated)
	if m.Removed >= 0 {
		text += fmt.Sprintf(", unavailable in v1.%d+", m.Removed)
	}
	if m.Replacement != (gvk{}) {
		text += "; use " + m.Replacement.String()
	}
	return text
}

func (a *api) addWarning(text string, minor int) {
	if n := len(a.warnings); n > 0 && a.warnings[n-1].text == text {
		a.warnings[n-1].minors.add(minor)
		return
	}
	var s minors
	s.add(minor)
	a.warnings = append(a.warnings, warningSpan{s, text})
}

// finish settles what depends on all releases.
func (a *api) finish() {
	if len(a.history) == 1 && a.history[0].same(historySpan{}) {
		a.history = nil // methods that only say since when
	}
	slices.SortFunc(a.gated, func(x, y gatedSpan) int { return strings.Compare(x.gate, y.gate) })
	if a.class == "List" {
		return
	}
	// APIs of the first release are as old as their methods say. Later ones have the
	// release in which they first appear.
	for i, r := range releases {
		if a.servable.has(r.minor) {
			if i > 0 {
				a.introduced = r.minor
			}
			break
		}
	}
}

// buildGates merges the releases' gates.
func buildGates(all []*facts) []*gate {
	byName := map[string]*gate{}
	var list []*gate
	for i, f := range all {
		for _, fact := range f.Gates {
			g := byName[fact.Name]
			if g == nil {
				g = &gate{name: fact.Name}
				byName[fact.Name] = g
				list = append(list, g)
			}
			if n := len(g.spans); n == 0 || g.spans[n-1].gateFact != fact {
				g.spans = append(g.spans, gateSpan{gateFact: fact})
			}
			g.spans[len(g.spans)-1].minors.add(releases[i].minor)
		}
	}
	slices.SortFunc(list, func(a, b *gate) int { return strings.Compare(a.name, b.name) })
	return list
}
