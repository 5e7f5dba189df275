// Command gen writes the tables of packages lifecycle and gotype. It reads
// Kubernetes releases, which it downloads through the Go module proxy. See
// README.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	var o options
	flag.StringVar(&o.out, "out", "..", "directory of package lifecycle")
	flag.StringVar(&o.gotype, "gotype", filepath.Join("..", "..", "apiserver", "internal", "gotype"), "directory of package gotype")
	flag.BoolVar(&o.verify, "verify", false, "write nothing; fail if the files there differ")
	flag.StringVar(&o.compare, "compare", "", "directory with lifecycle.jsonl and feature_gates.jsonl: print how the tables differ from them")
	flag.StringVar(&o.cache, "cache", "", "directory for what was read from releases (default: in the user's cache directory)")
	flag.StringVar(&o.modcache, "modcache", "", "module cache to download to and keep (default: one that is removed)")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "gen: unexpected argument", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

type options struct {
	out, gotype, compare, cache, modcache string
	verify                                bool
}

func run(o options) error {
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(dir, "kubevet", "lifecycle")
	}
	all := make([]*facts, len(releases))
	var versions []string
	for i, r := range releases {
		var err error
		if all[i], err = loadFacts(r, o.cache, o.modcache); err != nil {
			return err
		}
		if !r.pathsOnly {
			versions = append(versions, r.String())
		}
	}
	t, err := buildTable(all)
	if err != nil {
		return err
	}
	for _, d := range checkGates(all) {
		fmt.Fprintln(os.Stderr, "gen: warning:", d)
	}
	files, err := emit(t, versions)
	if err != nil {
		return err
	}
	if o.compare != "" {
		return compare(os.Stdout, t, o.compare)
	}
	types, err := typesSource(o, t)
	if err != nil {
		return err
	}
	if err := write(files, o.out, o.verify); err != nil {
		return err
	}
	return write(map[string][]byte{typesFile: types}, o.gotype, o.verify)
}

// typesSource reads the types of all covered releases. It returns the content of
// package gotype's generated file.
func typesSource(o options, t *table) ([]byte, error) {
	var all []*typeFacts
	for _, r := range covered() {
		f, err := loadTypes(r, o.cache, o.modcache)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	types, err := buildTypes(all, t)
	if err != nil {
		return nil, err
	}
	return emitTypes(types)
}

// write stores the files in a directory. If verify is set, it writes nothing, and
// returns an error if a file differs.
func write(files map[string][]byte, dir string, verify bool) error {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !verify {
			if err := os.WriteFile(path, files[name], 0o644); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, files[name]) {
			return fmt.Errorf("%s is not what the generator writes: run it without -verify\n%s", path, firstDifference(old, files[name]))
		}
	}
	return nil
}

// firstDifference returns the first line in which two texts differ, as it is in
// old and as it is in want.
func firstDifference(old, want []byte) string {
	a, b := bytes.Split(old, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(a), len(b)) {
		var x, y []byte
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if !bytes.Equal(x, y) {
			return fmt.Sprintf("line %d:\n- %s\n+ %s", i+1, x, y)
		}
	}
	return ""
}
