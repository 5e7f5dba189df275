// Command signatures writes the stubs below analyzers/testdata/stubs. Stubs are the
// declarations of real client libraries, without bodies, that the tests of the Go rules
// need. stubs.txt lists them. The tests of this module compare the stubs with the real
// packages of several releases.
//
//	go run .                 write the stubs and analyzers/testdata/go.mod
//	go run . -v              also list the declarations that are left out because their package is not listed
//	go run . -requirements   write the imports of each release's module instead
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// newest is the source release of the stubs.
const newest = "1.37"

// clients is the directory of the module that the rules' tests analyze.
var clients = filepath.Join("..", "..", "testdata")

func main() {
	verbose := flag.Bool("v", false, "say what was left out")
	requirements := flag.Bool("requirements", false, "write the imports of each release's module")
	flag.Parse()
	list, err := ParseList(stubList)
	if err == nil && *requirements {
		err = writeRequirements(list)
	} else if err == nil {
		err = writeStubs(list, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "signatures:", err)
		os.Exit(1)
	}
}

func writeStubs(list *List, verbose bool) error {
	releases, err := Releases()
	if err != nil {
		return err
	}
	loaded, err := LoadReleases(releases, list.Paths())
	if err != nil {
		return err
	}
	real := loaded[newest]
	for _, p := range list.Paths() {
		if errs := real.Errors[p]; len(errs) > 0 {
			return fmt.Errorf("loading %s: %w", p, errs[0])
		}
	}
	table, err := ParseDifferences(differenceList)
	if err != nil {
		return err
	}
	files, dropped, err := Stubs(real, list, before(loaded), table)
	if err != nil {
		return err
	}
	if verbose {
		for _, name := range slices.SortedFunc(maps.Keys(dropped), func(a, b string) int { return dropped[b] - dropped[a] }) {
			fmt.Println(dropped[name], name)
		}
	}
	for path, src := range files {
		if err := put(filepath.Join(clients, "stubs", filepath.FromSlash(path), "stub.go"), src); err != nil {
			return err
		}
	}
	if err := removeOthers(filepath.Join(clients, "stubs"), files); err != nil {
		return err
	}
	for _, m := range list.Modules {
		text := "module " + m.Path + "\n\ngo 1.24.0\n"
		if err := put(filepath.Join(clients, "stubs", filepath.FromSlash(m.Path), "go.mod"), []byte(text)); err != nil {
			return err
		}
	}
	mod, err := clientsModule(list)
	if err != nil {
		return err
	}
	return put(filepath.Join(clients, "go.mod"), mod)
}

// removeOthers removes the stubs of packages that are no longer listed.
func removeOthers(root string, files map[string][]byte) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "stub.go" {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		if _, ok := files[filepath.ToSlash(dir)]; ok {
			return nil
		}
		return os.Remove(name)
	})
}

// put writes a file unless the file already has the content. Unchanged files keep the build
// cache valid.
func put(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
