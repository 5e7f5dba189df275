package helmchart

import (
	"maps"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Literal is the apiVersion and the kind of one object, as a template contains
// them. No rendering reached the object.
type Literal struct {
	APIVersion, Kind string
	// Minors are the Kubernetes minors for which a rendering could reach the
	// object.
	Minors lifecycle.Minors
	// File, Line and the columns are the position of the apiVersion. They count
	// from 1.
	File                    string
	Line, Column, EndColumn int
	// Template is set if the file has actions and is therefore not plain YAML.
	Template bool
}

// Branches returns the literal apiVersions and kinds in the branches that no
// rendering executed. It searches the templates and helpers of the chart and of
// its subcharts. If a condition around a literal depends on the version or the
// APIs of the cluster, the literal is returned only for the minors for which
// the condition holds. The literal is left out if kubevet cannot evaluate this
// condition. The function cluster returns the cluster to assume for a minor.
func (c *Chart) Branches(minors lifecycle.Minors, cluster func(lifecycle.Minor) Cluster, renderings ...*Rendering) []Literal {
	b := &branches{minors: minors, cluster: cluster, ran: map[place]bool{}, defines: map[string]*define{}, clusterDependent: map[string]bool{}}
	for _, r := range renderings {
		maps.Copy(b.ran, r.ran)
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
	var own []*define
	for _, f := range files {
		if deep(f.text) {
			continue
		}
		key, main, all := c.parsed.known(f)
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
			own = append(own, &define{f, main})
		}
	}
	for _, d := range own {
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

type place struct {
	file string
	pos  int
}

// define is a template: the text of a file outside of its defines, or one
// define.
type define struct {
	file *templateFile
	tree *parse.Tree
}

// branches finds the literals of one chart.
type branches struct {
	minors  lifecycle.Minors
	cluster func(lifecycle.Minor) Cluster
	ran     map[place]bool
	defines map[string]*define
	// clusterDependent caches which helpers read the version or the APIs of the
	// cluster.
	clusterDependent map[string]bool
	found            []Literal

	steps int
}

// maxSketched is the largest number of template nodes that are visited for one
// chart. maxAlternatives is the largest number of apiVersions of one object.
const (
	maxSketched     = 2_000_000
	maxAlternatives = 64
)
