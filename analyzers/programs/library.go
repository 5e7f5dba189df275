package programs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// maxEntries is the number of files and directories of a module that Library looks
// at.
const maxEntries = 20000

// libraries has the answers of Library by root, which do not change during a run.
var libraries sync.Map

// Library reports whether the module that a directory belongs to has no programs,
// apart from those in directories for tests, examples and tools. A module that is
// too large to know has some.
func Library(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	root, _ := moduleOf(dir)
	if root == "" {
		return false
	}
	if known, ok := libraries.Load(root); ok {
		return known.(bool)
	}
	found := !hasProgram(root)
	libraries.Store(root, found)
	return found
}

// Aside reports whether a directory is in its module's directories for tests, examples
// and tools. A program there is not for the module's users.
func Aside(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	root, _ := moduleOf(dir)
	relative, err := filepath.Rel(root, dir)
	if root == "" || err != nil || relative == "." {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(relative), "/"), aside)
}

func hasProgram(root string) bool {
	entries, found := 0, false
	// An error only means that a directory cannot be read.
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case entries > maxEntries:
			found = true
			return fs.SkipAll
		case err != nil:
			found = true // unknown
			return fs.SkipAll
		case d.IsDir():
			if name != root && (aside(d.Name()) || exists(filepath.Join(name, "go.mod"))) {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && isMain(name):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// aside reports whether programs in a directory are not for the module's users.
func aside(name string) bool {
	switch name {
	case "vendor", "testdata", "node_modules", "test", "tests", "testing", "e2e", "example", "examples", "samples", "hack", "docs", "tools":
		return true
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// isMain reports whether a Go file belongs to a package main that is built by
// default.
func isMain(name string) bool {
	text, ok := read(name)
	if !ok || !strings.Contains(text, "package main") || strings.Contains(text, "//go:build ignore") {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}
