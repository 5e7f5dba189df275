package helmchart

import (
	"maps"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Literal is the apiVersion and the kind of one object in a branch of a
// template that no rendering executed.
type Literal struct {
	APIVersion, Kind string
	// Minors are the Kubernetes minors for which the branch can be executed.
	Minors lifecycle.Minors
	// File, Line and the columns are the position of the apiVersion, from 1.
	File                    string
	Line, Column, EndColumn int
	// Template is set if the file has template actions. Without them, it is plain
	// YAML.
	Template bool
}

// Branches returns the apiVersions and kinds that the templates of the chart
// and its subcharts contain literally, in branches that no rendering executed.
// A literal can be inside conditions on the version or the APIs of the cluster:
//
//   - If kubevet can evaluate these conditions, Branches returns the literal
//     with the minors for which they are true.
//   - If not, Branches leaves out the literal.
//
// cluster returns the cluster to assume for a minor.
func (c *Chart) Branches(minors lifecycle.Minors, cluster func(lifecycle.Minor) Cluster, renderings ...*Rendering) []Literal {
	b := &branches{minors: minors, cluster: cluster, executed: map[nodePos]bool{}, defines: map[string]*define{}, clusterDependent: map[string]bool{}}
	for _, r := range renderings {
		maps.Copy(b.executed, r.executed)
	}
	var files []*templateFile
	var collect func(f *folder)
	collect = func(f *folder) {
		for i := range f.files {
			if one := &f.files[i]; strings.HasPrefix(one.name, "templates/") {
				files = append(files, &templateFile{key: one.place, file: one, text: string(one.data)})
			}
		}
		for _, sub := range f.subs {
			collect(sub)
		}
	}
	collect(c.root)
	var bodies []*define
	for _, f := range files {
		if nestedTooDeep(f.text) {
			continue
		}
		key, main, all := c.parsed.cached(f)
		if main == nil {
			var err error
			if main, all, err = parseTemplate(f); err != nil {
				continue // linting reports the error
			}
			key = f.key
		}
		for name, tree := range all {
			if name != key {
				b.defines[name] = &define{f, tree}
			}
		}
		if !strings.HasPrefix(path.Base(f.key), "_") && path.Base(f.key) != "NOTES.txt" {
			bodies = append(bodies, &define{f, main})
		}
	}
	for _, d := range bodies {
		b.document(d)
	}
	for _, name := range sortedNames(b.defines) {
		b.document(b.defines[name]) // helpers that write whole objects
	}
	return b.found
}

func sortedNames(defines map[string]*define) []string {
	var names []string
	for name := range defines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

type nodePos struct {
	file string
	pos  int
}

// define is a template to search: one {{define}}, or the rest of its file.
type define struct {
	file *templateFile
	tree *parse.Tree
}

type branches struct {
	minors   lifecycle.Minors
	cluster  func(lifecycle.Minor) Cluster
	executed map[nodePos]bool
	defines  map[string]*define
	// clusterDependent caches which helpers read the cluster's version or APIs.
	clusterDependent map[string]bool
	found            []Literal

	steps int
}

// maxSearchedNodes is the largest number of template nodes that are searched in
// one chart. maxAlternatives is the largest number of apiVersions of one
// object.
const (
	maxSearchedNodes = 2_000_000
	maxAlternatives  = 64
)
