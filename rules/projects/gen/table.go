package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type table struct {
	projects []*contents
	kinds    []*kind
}

// kind is the history of a kind, with the newest names and scope.
type kind struct {
	kindKey
	resource   string
	namespaced bool
	project    *contents
	versions   []history
	successor  *kind
}

// history has the state of a version in each of the project's releases. A state
// is nil if the release does not have the version.
type history struct {
	name   string
	states []*version
}

func newTable(all []*contents, complete bool) (*table, error) {
	t := &table{projects: all}
	byKey := map[kindKey]*kind{}
	var errs []error
	for _, c := range all {
		keys := map[kindKey]bool{}
		for _, kinds := range c.kinds {
			for key := range kinds {
				keys[key] = true
			}
		}
		for key := range keys {
			if other := byKey[key]; other != nil {
				errs = append(errs, fmt.Errorf("%s %s is in both %s and %s", key.group, key.kind, other.project.source.name, c.source.name))
				continue
			}
			byKey[key] = newKind(key, c)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	t.kinds = slices.SortedFunc(maps.Values(byKey), func(a, b *kind) int { return a.kindKey.compare(b.kindKey) })
	return t, t.addSuccessors(byKey, complete)
}

func newKind(key kindKey, c *contents) *kind {
	k := &kind{kindKey: key, project: c}
	index := map[string]int{}
	for i, kinds := range c.kinds {
		d, ok := kinds[key]
		if !ok {
			continue
		}
		k.resource, k.namespaced = d.resource, d.namespaced // the newest release decides
		for _, v := range d.versions {
			n, ok := index[v.name]
			if !ok {
				n = len(k.versions)
				index[v.name] = n
				k.versions = append(k.versions, history{v.name, make([]*version, len(c.releases))})
			}
			k.versions[n].states[i] = &v
		}
	}
	slices.SortFunc(k.versions, func(a, b history) int { return -compareVersions(a.name, b.name) })
	return k
}

// spans returns the lines of a version: one for each state with its range of
// releases.
func (h history) spans(releases []release) []string {
	var lines []string
	for i := 0; i < len(releases); {
		v := h.states[i]
		from := i
		for i++; i < len(releases) && sameState(v, h.states[i]); i++ {
		}
		if v == nil {
			continue
		}
		span := releases[from].String() + "-"
		if i < len(releases) {
			span += releases[i-1].String()
		}
		state := "served"
		switch {
		case !v.served:
			state = "unserved"
		case v.deprecated:
			state = "deprecated"
		}
		line := fmt.Sprintf("\t%s %s %s", h.name, state, span)
		if v.deprecated && v.warning != "" {
			line += " " + strings.Join(strings.Fields(v.warning), " ")
		}
		lines = append(lines, line)
	}
	return lines
}

func sameState(a, b *version) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b || !a.served && !b.served
}

func (t *table) kindsText() []byte {
	var b bytes.Buffer
	for _, k := range t.kinds {
		scope := "Cluster"
		if k.namespaced {
			scope = "Namespaced"
		}
		fmt.Fprintf(&b, "%s %s %s %s %s\n", k.group, k.kind, k.resource, scope, k.project.source.name)
		if k.successor != nil {
			fmt.Fprintf(&b, "\t> %s %s\n", k.successor.group, k.successor.kind)
		}
		for _, v := range k.versions {
			for _, line := range v.spans(k.project.releases) {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.Bytes()
}

func (t *table) projectsText() []byte {
	var b bytes.Buffer
	for _, c := range t.projects {
		supported, policy := c.source.supported, c.source.policy
		if policy == "" {
			supported, policy = defaultSupported, "-"
		}
		fmt.Fprintf(&b, "%s %s %d %s", c.source.name, c.source.repository, supported, policy)
		for _, r := range c.releases {
			fmt.Fprintf(&b, " %d.%d.%d", r.major, r.minor, r.patch)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// defaultSupported is the number of supported minors of a project that does not
// state it. Most projects support fewer minors, but a high number gives fewer
// findings.
const defaultSupported = 3

var versionPattern = regexp.MustCompile(`^v(\d+)(?:(alpha|beta)(\d+))?$`)

// compareVersions compares versions by Kubernetes' preference. The result is
// positive if a is preferred. Source: CompareKubeAwareVersionStrings in
// k8s.io/apimachinery/pkg/version.
func compareVersions(a, b string) int {
	parse := func(v string) (n [3]int) {
		if m := versionPattern.FindStringSubmatch(v); m != nil {
			n[0] = map[string]int{"alpha": 1, "beta": 2, "": 3}[m[2]]
			n[1], _ = strconv.Atoi(m[1])
			n[2], _ = strconv.Atoi(m[3])
		}
		return n
	}
	x, y := parse(a), parse(b)
	if c := slices.Compare(x[:], y[:]); c != 0 {
		return c
	}
	return strings.Compare(b, a)
}
