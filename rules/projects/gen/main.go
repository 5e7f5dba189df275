// Command gen writes the tables of package projects from the releases of the
// projects. See README.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.out, "out", "..", "directory of package projects")
	flag.StringVar(&o.repositories, "repositories", "", "directory with git repositories, OWNER/NAME or OWNER/NAME.git; nothing is cloned or fetched")
	flag.StringVar(&o.cache, "cache", "", "directory to clone to (default: in the user's cache directory)")
	flag.StringVar(&o.only, "only", "", "read only this project and print its part of the table")
	flag.BoolVar(&o.verify, "verify", false, "write nothing; fail if the table differs")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "gen: unexpected argument", flag.Arg(0))
		os.Exit(2)
	}
	if err := generate(o); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

type options struct {
	out, repositories, cache, only string
	verify                         bool
}

func generate(o options) error {
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(dir, "kubevet", "projects")
	}
	r := &reader{repositories: o.repositories, cache: o.cache, opened: map[string]*repository{}, parsed: map[string][]definition{}}
	var all []*contents
	var failed int
	for _, s := range sources {
		if o.only != "" && s.name != o.only {
			continue
		}
		c, err := r.read(s)
		clear(r.parsed)
		clear(r.opened)
		if err != nil {
			failed++
			fmt.Fprintln(os.Stderr, "gen:", err)
			continue
		}
		all = append(all, c)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d projects could not be read", failed, len(sources))
	}
	if len(all) == 0 {
		return fmt.Errorf("no project is called %q", o.only)
	}
	slices.SortFunc(all, func(a, b *contents) int { return strings.Compare(a.source.name, b.source.name) })
	t, err := newTable(all, o.only == "")
	if err != nil {
		return err
	}
	if o.only != "" {
		_, err := os.Stdout.Write(append(t.projectsText(), t.kindsText()...))
		return err
	}
	for name, text := range map[string][]byte{"zz_generated.projects.txt": t.projectsText(), "zz_generated.kinds.txt": t.kindsText()} {
		if err := write(filepath.Join(o.out, name), text, o.verify); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file. With verify, it compares the text with the existing file
// instead.
func write(path string, text []byte, verify bool) error {
	if !verify {
		return os.WriteFile(path, text, 0o644)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if string(old) != string(text) {
		return fmt.Errorf("%s is not what the generator writes: run it without -verify", path)
	}
	return nil
}
