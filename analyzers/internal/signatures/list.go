package main

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// stubList lists the packages with stubs, and the names in them that are needed. Names that
// these names mention are added.
//
//go:embed stubs.txt
var stubList string

// List is the content of stubs.txt.
type List struct {
	Modules  []Module // in order
	Packages []Package
	// Std has the packages of the standard library that stubs may import.
	Std map[string]bool

	stubbed map[string]bool
	skip    map[string]bool // PACKAGE.NAME
}

// Module is a module with a stub.
type Module struct {
	Path string
	// Version is set for a module whose stub is written by hand. Other stubs are generated
	// from the version that the newest release requires.
	Version string
}

// Package is a package with a stub.
type Package struct {
	Path string
	// Names are the package-level names that are needed. "*" means all exported names. If
	// there are none, the stub contains only names that other packages mention.
	Names []string
}

// Skipped reports whether a name must not be in the stub of a package.
func (l *List) Skipped(pkg, name string) bool { return l.skip[pkg+"."+name] }

// Stubbed reports whether a package is listed.
func (l *List) Stubbed(path string) bool { return l.stubbed[path] }

// Paths returns the import paths of the listed packages, in order.
func (l *List) Paths() []string {
	var paths []string
	for _, p := range l.Packages {
		paths = append(paths, p.Path)
	}
	return paths
}

// ParseList parses the format that stubs.txt describes. It returns an error with the number
// of the line.
func ParseList(text string) (*List, error) {
	l := &List{Std: map[string]bool{}, skip: map[string]bool{}, stubbed: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		code, _, _ := strings.Cut(line, "#")
		words := strings.Fields(code)
		if len(words) == 0 {
			continue
		}
		key, rest := words[0], words[1:]
		if code[0] == ' ' || code[0] == '\t' {
			key, rest = "", words
		}
		switch {
		case key == "std":
			for _, w := range rest {
				l.Std[w] = true
			}
		case key == "module" && len(rest) == 1:
			l.Modules = append(l.Modules, Module{Path: rest[0]})
		case key == "module" && len(rest) == 2:
			l.Modules = append(l.Modules, Module{Path: rest[0], Version: rest[1]})
		case key == "package" && len(rest) > 0 && len(l.Modules) > 0:
			p := path.Join(l.Modules[len(l.Modules)-1].Path, rest[0])
			l.Packages = append(l.Packages, Package{Path: p})
			l.stubbed[p] = true
			l.names(rest[1:])
		case key == "" && len(l.Packages) > 0:
			l.names(rest)
		default:
			return nil, fmt.Errorf("stubs.txt:%d: cannot read %q", i+1, line)
		}
	}
	return l, nil
}

func (l *List) names(words []string) {
	p := &l.Packages[len(l.Packages)-1]
	for _, w := range words {
		if name, ok := strings.CutPrefix(w, "-"); ok {
			l.skip[p.Path+"."+name] = true
		} else {
			p.Names = append(p.Names, w)
		}
	}
}
