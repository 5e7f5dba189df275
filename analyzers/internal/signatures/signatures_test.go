package main

import (
	"bytes"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStubs compares each declaration of the stubs with the real package in each release.
func TestStubs(t *testing.T) {
	t.Parallel()
	list, err := ParseList(stubList)
	if err != nil {
		t.Fatal(err)
	}
	stubs, err := Load(clients, "", list.Paths()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.Paths() {
		for _, err := range stubs.Errors[p] {
			t.Errorf("stub of %s: %v", p, err)
		}
	}
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseDifferences(differenceList)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadReleases(releases, list.Paths())
	if err != nil {
		t.Fatal(err)
	}
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			compared := 0
			for _, p := range list.Paths() {
				compared += compare(t, table, release, stubs.Packages[p], loaded[release])
			}
			if compared == 0 {
				t.Error("nothing compared")
			}
		})
	}
	if t.Failed() {
		return // the later checks would only repeat the errors
	}
	t.Run("generated", func(t *testing.T) {
		files, _, err := Stubs(loaded[newest], list, before(loaded), table)
		if err != nil {
			t.Fatal(err)
		}
		upToDate(t, list, files)
	})
	if !t.Failed() {
		for _, d := range table {
			if !d.Used {
				t.Errorf("differences.txt:%d: %s is no difference", d.Line, d.Name)
			}
		}
	}
}

// compare reports declarations of a stub that differ from the real package.
func compare(t *testing.T, table Differences, release string, stub *types.Package, real *Loaded) int {
	n := 0
	c := canonical{moved: table.Moved()}
	for _, name := range stub.Scope().Names() {
		want := map[string]string{}
		declared := real.Lookup(stub.Path(), name)
		if declared == nil {
			// If the type has moved, compare with the type of the former name.
			if old, ok := c.moved[stub.Path()+"."+name]; ok {
				declared = real.Lookup(split(old))
			}
		}
		if declared != nil {
			want = c.members(declared, name)
		}
		got := c.members(stub.Scope().Lookup(name), name)
		for _, member := range slices.Sorted(maps.Keys(got)) {
			n++
			id := stub.Path() + "." + member
			switch there, ok := want[member]; {
			case got[member] == there:
			case !ok && table.Explain("since", release, id):
			case ok && table.Explain("changed", release, id):
			case !ok:
				t.Errorf("release %s has no %s", release, id)
			default:
				t.Errorf("%s\n in the stub: %s\n in release %s: %s", id, got[member], release, there)
			}
		}
	}
	return n
}

// upToDate reports stubs that differ from the output of the generator.
func upToDate(t *testing.T, list *List, files map[string][]byte) {
	root := filepath.Join(clients, "stubs")
	for path, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path), "stub.go")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the stub of %s is out of date: go run .", path)
		}
	}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		path := filepath.ToSlash(rel)
		byHand := slices.ContainsFunc(list.Modules, func(m Module) bool {
			return m.Version != "" && strings.HasPrefix(path+"/", m.Path+"/")
		})
		if _, ok := files[path]; !byHand && (!ok || d.Name() != "stub.go") {
			t.Errorf("%s is not generated", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	mod, err := clientsModule(list)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(clients, "go.mod")); err != nil || !bytes.Equal(got, mod) {
		t.Error("analyzers/testdata/go.mod is out of date: go run .")
	}
}
