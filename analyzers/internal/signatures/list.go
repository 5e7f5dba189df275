package main

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// stubs.txt says which packages are stubbed and which names of each are
// wanted; what those mention is added.
//
//go:embed stubs.txt
var stubList string

// List is the content of stubs.txt.
type List struct {
	Modules  []Module // in order
	Packages []Package
	// Std are the packages of the standard library that stubs may import.
	Std map[string]bool

	stubbed map[string]bool
	skip    map[string]bool // PACKAGE.NAME
}

// Module is one stubbed module.
type Module struct {
	Path string
	// Version is set for a module whose stub is written by hand; others are
	// written from the version that the newest release requires.
	Version string
}

// Package is one stubbed package.
type Package struct {
	Path string
	// Names are the wanted package-level names; "*" means all exported ones. If there
	// are none, only names that other packages mention are written.
	Names []string
}

// Skipped reports whether a name of a package must not be written.
func (l *List) Skipped(pkg, name string) bool { return l.skip[pkg+"."+name] }

// Stubbed reports whether a package is listed.
func (l *List) Stubbed(path string) bool { return l.stubbed[path] }

// Paths are the packages that are written, in order.
func (l *List) Paths() []string {
	var paths []string
	for _, p := range l.Packages {
		paths = append(paths, p.Path)
	}
	return paths
}

// ParseList reads the format that stubs.txt describes.
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
