package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// required returns the versions of modules that the module of a release requires.
func required(release string) (map[string]string, error) {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = filepath.Join("testdata", release)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("reading the requirements of release %s: %w", release, err)
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, fmt.Errorf("reading the output of go mod edit: %w", err)
	}
	versions := map[string]string{}
	for _, r := range mod.Require {
		versions[r.Path] = r.Version
	}
	return versions, nil
}

// clientsModule returns the go.mod of analyzers/testdata. It requires the versions of the
// newest release, and replaces each module by its stub.
func clientsModule(list *List) ([]byte, error) {
	versions, err := required(newest)
	if err != nil {
		return nil, err
	}
	var require, replace strings.Builder
	for _, m := range list.Modules {
		version := m.Version
		if version == "" {
			version = versions[m.Path]
		}
		if version == "" {
			return nil, fmt.Errorf("release %s does not require %s", newest, m.Path)
		}
		fmt.Fprintf(&require, "\t%s %s\n", m.Path, version)
		fmt.Fprintf(&replace, "\t%s => ./stubs/%s\n", m.Path, m.Path)
	}
	return fmt.Appendf(nil, `// The packages that the tests of the Go rules analyse. The client libraries are
// stubs, written by analyzers/internal/signatures; so is this file.
module example.org/clients

go 1.24.0

require (
%s)

replace (
%s)
`, &require, &replace), nil
}

// Releases returns the releases that the stubs are compared with, oldest first.
func Releases() ([]string, error) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name()) // the names 1.29 to 1.99 sort by age
	}
	return names, nil
}

// LoadReleases type-checks packages in the modules of several releases. It loads all
// releases at the same time, so that downloads overlap.
func LoadReleases(releases, paths []string) (map[string]*Loaded, error) {
	all := make([]*Loaded, len(releases))
	errs := make([]error, len(releases))
	var wg sync.WaitGroup
	for i, release := range releases {
		wg.Go(func() { all[i], errs[i] = Load(filepath.Join("testdata", release), "", paths...) })
	}
	wg.Wait()
	byName := map[string]*Loaded{}
	for i, release := range releases {
		byName[release] = all[i]
	}
	return byName, errors.Join(errs...)
}

// writeRequirements writes a file for each release that imports every listed package of the
// release, so that go mod tidy keeps the requirements.
func writeRequirements(list *List) error {
	releases, err := Releases()
	if err != nil {
		return err
	}
	for _, release := range releases {
		versions, err := required(release)
		if err != nil {
			return err
		}
		var imports []string
		for _, m := range list.Modules {
			if m.Version != "" {
				continue
			}
			dir, err := source(m.Path, versions[m.Path])
			if err != nil {
				return err
			}
			for _, p := range list.Paths() {
				rest, ok := strings.CutPrefix(p+"/", m.Path+"/")
				if names, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(rest), "*.go")); ok && len(names) > 0 && !strings.Contains(p+"/", "/internal/") {
					imports = append(imports, fmt.Sprintf("\t_ %q\n", p))
				}
			}
		}
		slices.Sort(imports)
		text := fmt.Appendf(nil, "// Package release imports what release %s has of the stubbed packages.\npackage release\n\nimport (\n%s)\n", release, strings.Join(imports, ""))
		if err := put(filepath.Join("testdata", release, "packages.go"), text); err != nil {
			return err
		}
	}
	return nil
}

// source returns the directory of a version of a module. It downloads the module if
// necessary.
func source(path, version string) (dir string, err error) {
	out, err := exec.Command("go", "mod", "download", "-json", path+"@"+version).Output()
	if err != nil {
		return "", fmt.Errorf("downloading %s %s: %w", path, version, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("reading the output of go mod download: %w", err)
	}
	return m.Dir, nil
}
