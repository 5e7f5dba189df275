package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type kindKey struct{ group, kind string }

func (k kindKey) compare(o kindKey) int {
	return cmp.Or(cmp.Compare(k.group, o.group), cmp.Compare(k.kind, o.kind))
}

// contents are the definitions in the releases of a project. kinds has one item
// for each release.
type contents struct {
	source   source
	releases []release
	kinds    []map[kindKey]definition
}

type reader struct {
	// repositories is a directory with existing repositories. If it is empty, the
	// reader clones repositories into cache.
	repositories, cache string
	opened              map[string]*repository
	parsed              map[string][]definition // by the git object name of the file's text
}

func (r *reader) open(name string) (*repository, error) {
	if repo := r.opened[name]; repo != nil {
		return repo, nil
	}
	repo, err := openRepository(name, r.repositories, r.cache)
	if err == nil {
		r.opened[name] = repo
	}
	return repo, err
}

// read reads all releases of a project and adds the kinds of its components.
func (r *reader) read(s source) (*contents, error) {
	c, err := r.readReleases(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	for i, kinds := range c.kinds {
		if len(kinds) == 0 {
			return nil, fmt.Errorf("%s: release %s (%s) has no definitions in %s", s.name, c.releases[i], c.releases[i].tag, strings.Join(s.files, ", "))
		}
	}
	return c, nil
}

func (r *reader) readReleases(s source) (*contents, error) {
	c := &contents{source: s}
	if s.module != "" {
		return c, r.readModule(c)
	}
	repo, err := r.open(s.repository)
	if err != nil {
		return nil, err
	}
	tags, err := repo.tags()
	if err != nil {
		return nil, err
	}
	if c.releases, err = newestPatches(tags, s.tags, s.since); err != nil {
		return nil, err
	}
	c.releases = slices.DeleteFunc(c.releases, func(r release) bool { return slices.Contains(s.skipped, r.String()) })
	for _, rel := range c.releases {
		kinds := map[kindKey]definition{}
		files, err := repo.files(rel.tag, s.files)
		if err != nil {
			return nil, err
		}
		if err := r.collect(kinds, s, repo, rel.tag, files, s.files); err != nil {
			return nil, err
		}
		for _, comp := range s.components {
			if err := r.collectComponent(kinds, s, repo, files, comp); err != nil {
				return nil, fmt.Errorf("%s: %w", rel.tag, err)
			}
		}
		for group, since := range s.leftover {
			if first, ok := parseRelease(regexp.MustCompile(plainTag), since); !ok || rel.compare(first) >= 0 {
				maps.DeleteFunc(kinds, func(k kindKey, _ definition) bool { return k.group == group })
			}
		}
		c.kinds = append(c.kinds, kinds)
	}
	return c, nil
}

// collectComponent adds the definitions of a component. One of the project's
// files has the tag of the component's release.
func (r *reader) collectComponent(kinds map[kindKey]definition, s source, repo *repository, files []file, comp component) error {
	i := slices.IndexFunc(files, func(f file) bool { return f.path == comp.file })
	if i < 0 {
		return nil // this release has no such component yet
	}
	if err := repo.load(files[i : i+1]); err != nil {
		return err
	}
	m := regexp.MustCompile(comp.tag).FindStringSubmatch(repo.blobs[files[i].blob])
	if m == nil {
		return fmt.Errorf("%s names no tag of %s", comp.file, comp.repository)
	}
	other, err := r.open(comp.repository)
	if err != nil {
		return err
	}
	tag, err := other.closest(m[1])
	if err != nil {
		return err
	}
	componentFiles, err := other.files(tag, comp.files)
	if err != nil {
		return err
	}
	before := len(kinds)
	if err := r.collect(kinds, s, other, tag, componentFiles, comp.files); err != nil {
		return err
	}
	if len(kinds) == before {
		return fmt.Errorf("%s %s has no definitions", comp.repository, tag)
	}
	return nil
}

// collect adds the definitions in those files of a tag that match the patterns.
func (r *reader) collect(kinds map[kindKey]definition, s source, repo *repository, tag string, files []file, patterns []string) error {
	var wanted []file
	for _, f := range files {
		if matches(patterns, f.path) && !matches(s.skippedFiles, f.path) {
			wanted = append(wanted, f)
		}
	}
	if err := repo.load(wanted); err != nil {
		return err
	}
	for _, f := range wanted {
		defs, ok := r.parsed[f.blob]
		if !ok {
			var err error
			if defs, err = definitions(repo.blobs[f.blob]); err != nil {
				return fmt.Errorf("%s: %s: %w", tag, f.path, err)
			}
			r.parsed[f.blob] = defs
		}
		if err := addDefinitions(kinds, s, defs); err != nil {
			return fmt.Errorf("%s: %s: %w", tag, f.path, err)
		}
	}
	return nil
}

// readModule reads the listed versions of a Go module one by one.
func (r *reader) readModule(c *contents) error {
	var err error
	if c.releases, err = newestPatches(c.source.versions, "", c.source.since); err != nil {
		return err
	}
	for _, rel := range c.releases {
		kinds := map[kindKey]definition{}
		texts, err := moduleFiles(c.source.module, rel.tag, c.source.files, r.cache)
		if err != nil {
			return err
		}
		for name, text := range texts {
			defs, err := definitions(text)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", rel.tag, name, err)
			}
			if err := addDefinitions(kinds, c.source, defs); err != nil {
				return fmt.Errorf("%s: %s: %w", rel.tag, name, err)
			}
		}
		c.kinds = append(c.kinds, kinds)
	}
	return nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		if err != nil {
			panic(err) // a mistake in the list of sources
		}
		return ok
	})
}

// matchesGroup reports whether a list of patterns such as "*.istio.io" matches a
// group.
func matchesGroup(patterns []string, group string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		suffix, ok := strings.CutPrefix(p, "*")
		return p == group || ok && strings.HasSuffix(group, suffix)
	})
}

// addDefinitions adds definitions to the kinds of a release. A release can define
// a kind several times, for example for two channels or for old clusters. A
// version is served if at least one definition serves it, and deprecated if all
// definitions that serve it deprecate it.
func addDefinitions(kinds map[kindKey]definition, s source, defs []definition) error {
	for _, d := range defs {
		if matchesGroup(s.foreign, d.group) {
			continue
		}
		if !matchesGroup(s.groups, d.group) {
			return fmt.Errorf("group %s of kind %s is neither in groups nor in foreign", d.group, d.kind)
		}
		key := kindKey{d.group, d.kind}
		had, ok := kinds[key]
		if !ok {
			kinds[key] = d
			continue
		}
		versions := slices.Clone(had.versions)
		for _, v := range d.versions {
			i := slices.IndexFunc(versions, func(o version) bool { return o.name == v.name })
			switch {
			case i < 0:
				versions = append(versions, v)
			case !v.served:
			case !versions[i].served || versions[i].deprecated && !v.deprecated:
				versions[i] = v
			}
		}
		had.versions = versions
		kinds[key] = had
	}
	return nil
}

// moduleFiles returns the files of a module that match the patterns. These files
// stay in the cache, so the module is downloaded only once.
func moduleFiles(module, version string, patterns []string, cache string) (map[string]string, error) {
	kept := filepath.Join(cache, filepath.FromSlash(module)+"@"+version)
	if _, err := os.Stat(kept); err != nil {
		if err := keepModule(module, version, patterns, cache, kept); err != nil {
			return nil, fmt.Errorf("%s %s: %w", module, version, err)
		}
	}
	texts := map[string]string{}
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(kept, filepath.FromSlash(p)))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			texts[name] = string(text)
		}
	}
	return texts, nil
}
