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

// maxEntries limits the files and directories of a module that are examined.
const maxEntries = 20000

// libraries caches the results of Library by the root directory of the module. They are
// assumed not to change during a run.
var libraries sync.Map

// Library reports whether the module that contains a directory has no programs.
// Programs in directories for tests, examples and tools do not count. It returns false
// if the module has more than maxEntries files and directories, or cannot be read.
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

// Auxiliary reports whether a directory is, within its module, below a directory for
// tests, examples or tools. Users of the module do not run the programs there.
func Auxiliary(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	root, _ := moduleOf(dir)
	relative, err := filepath.Rel(root, dir)
	if root == "" || err != nil || relative == "." {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(relative), "/"), isAuxiliary)
}

func hasProgram(root string) bool {
	found := false
	// A directory that cannot be read may hold a program.
	return !eachProgram(root, func(string) bool {
		found = true
		return false
	}) || found
}

// eachProgram calls do with each file of a package main below root, until do returns
// false. eachProgram returns false if there are more than maxEntries files and
// directories, or if some cannot be read.
func eachProgram(root string, do func(name string) bool) bool {
	entries, ok := 0, true
	// The callback handles errors, so the result of WalkDir is not needed.
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case entries > maxEntries, err != nil:
			ok = false
			return fs.SkipAll
		case d.IsDir():
			if name != root && (isAuxiliary(d.Name()) || exists(filepath.Join(name, "go.mod"))) {
				return fs.SkipDir
			}
		case d.Type().IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && isMain(name):
			if !do(name) {
				return fs.SkipAll
			}
		}
		return nil
	})
	return ok
}

// isAuxiliary reports whether a directory with this name is for tests, examples or tools.
func isAuxiliary(name string) bool {
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

// isMain reports whether a Go file belongs to a package main, and go build includes it
// by default.
func isMain(name string) bool {
	text, ok := read(name)
	if !ok || !strings.Contains(text, "package main") || strings.Contains(text, "//go:build ignore") {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}
