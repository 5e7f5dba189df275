// Command gen writes the tables of package components from the releases of
// Kubernetes. It gets them through the Go module proxy. See README.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "..", "directory of package components")
	lifecycle := flag.String("lifecycle", filepath.Join("..", "..", "lifecycle"), "directory of package lifecycle, which names the releases")
	verify := flag.Bool("verify", false, "write nothing; fail if the files there differ")
	cache := flag.String("cache", "", "directory for what was read from releases (default: in the user's cache directory)")
	modcache := flag.String("modcache", "", "module cache to download to and keep (default: one that is removed)")
	flag.Parse()
	if err := run(*out, *lifecycle, *cache, *modcache, *verify); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(out, lifecycle, cache, modcache string, verify bool) error {
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		cache = filepath.Join(dir, "kubevet", "components")
	}
	list, err := releases(lifecycle)
	if err != nil {
		return err
	}
	var all []*facts
	for _, r := range list {
		f, err := load(r, cache, modcache)
		if err != nil {
			return err
		}
		for _, t := range f.Trouble {
			fmt.Fprintf(os.Stderr, "gen: warning: %s: a flag without a constant name: %s\n", r, t)
		}
		all = append(all, f)
	}
	files, err := tables(all)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(out, name)
		if !verify {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, text) {
			return fmt.Errorf("%s is not what the generator writes: run it without -verify", path)
		}
	}
	return nil
}
