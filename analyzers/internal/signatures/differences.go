package main

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// differences.txt says where the stubs differ from older releases, and why.
//
//go:embed differences.txt
var differenceList string

// Differences are the lines of differences.txt.
type Differences []*Difference

// Difference is one difference between the newest release and older ones.
type Difference struct {
	Line int
	// Kind is "since" for declarations that older releases do not have, "changed" for
	// those that differ there, "moved" for a type that had another name.
	Kind string
	// Release is the first of the releases looked at that is like the newest.
	Release string
	// Name is PACKAGE.NAME or PACKAGE.TYPE.MEMBER, a pattern as of path.Match;
	// it holds for members too.
	Name string
	// Old is the former name of a type that has moved.
	Old string
	// Used reports whether it has explained a difference.
	Used bool
}

// ParseDifferences reads the format that differences.txt describes.
func ParseDifferences(text string) (Differences, error) {
	var all Differences
	for i, line := range strings.Split(text, "\n") {
		code, _, _ := strings.Cut(line, "#")
		words := strings.Fields(code)
		switch {
		case len(words) == 0:
		case len(words) >= 3 && (words[0] == "since" || words[0] == "changed"):
			for _, name := range words[2:] {
				all = append(all, &Difference{Line: i + 1, Kind: words[0], Release: words[1], Name: name})
			}
		case len(words) == 4 && words[0] == "moved":
			all = append(all, &Difference{Line: i + 1, Kind: "moved", Release: words[1], Name: words[2], Old: words[3]})
		default:
			return nil, fmt.Errorf("differences.txt:%d: cannot read %q", i+1, line)
		}
	}
	return all, nil
}

// Explain reports whether a difference of a kind between a release and the
// newest one is listed.
func (all Differences) Explain(kind, release, id string) bool {
	found := false
	for _, d := range all {
		if d.Kind == kind && release < d.Release && d.matches(id) {
			d.Used, found = true, true
		}
	}
	return found
}

func (d *Difference) matches(id string) bool {
	if ok, _ := path.Match(d.Name, id); ok {
		return true
	}
	// A member of the named type: try the type.
	slash := strings.LastIndexByte(id, '/')
	dot := strings.LastIndexByte(id, '.')
	return dot > slash && strings.Count(id[slash+1:], ".") > 1 && d.matches(id[:dot])
}

// Moved maps the present names of types that have moved to their former ones.
func (all Differences) Moved() map[string]string {
	names := map[string]string{}
	for _, d := range all {
		if d.Kind == "moved" {
			d.Used = true
			names[d.Name] = d.Old
		}
	}
	return names
}
