package main

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// differenceList is the text of differences.txt. It says where the stubs differ from older
// releases, and why.
//
//go:embed differences.txt
var differenceList string

// Differences has the lines of differences.txt.
type Differences []*Difference

// Difference is one difference between the newest release and older releases.
type Difference struct {
	Line int
	// Kind says what older releases do not have or have in another form. It is "since"
	// for missing declarations, "changed" for different declarations, and "moved" for
	// types with another name.
	Kind string
	// Release is the first loaded release that agrees with the newest.
	Release string
	// Name is PACKAGE.NAME or PACKAGE.TYPE.MEMBER. It is a pattern for path.Match, and
	// applies to members, too.
	Name string
	// Old is the former name of a type that has moved.
	Old string
	// Used reports whether the line has explained a difference.
	Used bool
}

// ParseDifferences parses the format that differences.txt describes. It returns an error
// with the number of the line.
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

// Explain reports whether the list has a difference of this kind between a release and the
// newest release, for the declaration with this id.
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
	// For a member, compare with the name of its type.
	slash := strings.LastIndexByte(id, '/')
	dot := strings.LastIndexByte(id, '.')
	return dot > slash && strings.Count(id[slash+1:], ".") > 1 && d.matches(id[:dot])
}

// Moved returns the former names of types that have moved, by their new names.
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
