package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// firstWarning is the first minor whose server sends Warning headers. The gate
// WarningHeaders was always on by default. Source:
// k8s.io/apiserver/pkg/endpoints/deprecation.
const firstWarning = 19

// minors is a set of minors. Bit n means 1.n, as in package lifecycle.
type minors uint64

func (s minors) has(m int) bool { return s&(1<<m) != 0 }

func (s *minors) add(m int) { *s |= 1 << m }

// table is the combined data of all releases, as in the generated files.
type table struct {
	oldest, newest int
	apis           []*api
	gates          []*gate
}

type api struct {
	gvk
	class      string // name of the constant in package lifecycle
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
	deprecated, removed int // minors; 0 means none
	replacement         gvk
}

type warningSpan struct {
	minors minors
	text   string
}

type gate struct {
	name  string
	spans []gateSpan
}

type gateSpan struct {
	minors minors
	gateFact
}

// builder collects the entries of the table of APIs.
type builder struct {
	apis map[gvk]*api
	// kinds has the API of a resource, for releases that install the resource
	// behind a gate and have no path for it.
	kinds map[gvr]*api
}

// buildTable merges the facts of all releases. all has the oldest release first.
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
	// Package lifecycle needs this order for its search.
	slices.SortFunc(t.apis, func(a, b *api) int {
		return cmp.Or(cmp.Compare(groupVersion(a.Group, a.Version), groupVersion(b.Group, b.Version)), cmp.Compare(a.Kind, b.Kind))
	})
	t.gates = buildGates(all)
	return t, b.findSuccessors(t)
}

// addPaths records the kinds that a release has, and the kinds that are on by
// default.
func (b *builder) addPaths(f *facts, minor int) {
	on := f.Defaults.enabled()
	gated := f.gatedResources()
	for _, p := range f.Paths {
		resource, _, isSub := strings.Cut(p.Resource, "/")
		path := gvr{p.PathGroup, p.PathVersion, resource}
		if isSub {
			// A subresource is skipped if it has the kind of its object, or the
			// options of a CONNECT request, which are not objects.
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

// isResource reports whether a kind has a path that is not a subresource.
func (f *facts) isResource(k gvk) bool {
	return slices.ContainsFunc(f.Paths, func(p servedPath) bool {
		return p.gvk == k && !strings.Contains(p.Resource, "/")
	})
}

// gatedResources returns the gates that each resource needs.
func (f *facts) gatedResources() map[gvr][]string {
	m := map[gvr][]string{}
	for _, g := range f.GatedResources {
		m[g.gvr] = append(m[g.gvr], g.Gates...)
	}
	return m
}

// enabled returns a function that reports whether a resource is on by default.
// Source: ResourceConfig.ResourceEnabled. Before 1.24, that function also turns
// off enabled resources of a disabled version, but no release has such defaults.
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

// addGate records that an API needs a gate in a minor.
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

// openAPIWithAlpha is the first minor whose OpenAPI document has all alpha gates
// on (hack/update-openapi-spec.sh).
const openAPIWithAlpha = 21

// addGated records resources that a release installs behind a gate, and that its
// OpenAPI document lacks because the gate was off. From openAPIWithAlpha on, a
// missing path means that the resource is removed and only its code remains.
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

// addLists adds the kinds that are lists of resources to the table.
func (b *builder) addLists(f *facts) {
	for _, l := range f.Lists {
		item := b.apis[l.Item]
		if item == nil || item.class != "Resource" || b.apis[l.gvk] != nil {
			continue
		}
		b.apis[l.gvk] = &api{gvk: l.gvk, class: "List", item: l.Item}
	}
}

// addMethods records the values of a release's APILifecycle methods, and the
// warnings that its server sends.
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

// warning returns the text that the server of a minor sends about a kind, or "".
// m has the method values of the same release.
//
// Source: IsDeprecated and WarningMessage in
// k8s.io/apiserver/pkg/endpoints/deprecation/deprecation.go, the same since 1.19.
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

// finish completes an API after all releases are read.
func (a *api) finish() {
	if len(a.history) == 1 && a.history[0].same(historySpan{}) {
		a.history = nil // the methods only say when the API was introduced
	}
	slices.SortFunc(a.gated, func(x, y gatedSpan) int { return strings.Compare(x.gate, y.gate) })
	if a.class == "List" {
		return
	}
	// introduced is the first release that has the API. For an API that the first
	// release of the tables has, the value of the methods stays.
	for i, r := range releases {
		if a.servable.has(r.minor) {
			if i > 0 {
				a.introduced = r.minor
			}
			break
		}
	}
}

// buildGates merges the gates of all releases. The result is sorted by name.
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
