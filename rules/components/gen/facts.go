package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// format is the version of the cached facts. It must change when the facts
// change.
const format = 3

// facts are the inputs of all programs in one release.
type facts struct {
	Format, Minor, Patch            int
	Flags                           []flagFact
	Configs                         []configFact
	KubeadmDeprecated, KubeadmGates []string
	Plugins                         []string
	Trouble                         []string
}

// load returns the facts of a release from the cache, or else from the release's
// modules.
func load(r release, cache, modCache string) (*facts, error) {
	name := filepath.Join(cache, r.String()+".json")
	var f facts
	if text, err := os.ReadFile(name); err == nil {
		if err := json.Unmarshal(text, &f); err == nil && f.Format == format {
			return &f, nil
		}
	}
	if modCache == "" {
		dir, err := os.MkdirTemp("", "components")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		modCache = dir
	}
	src, err := fetch(r, modCache)
	if err != nil {
		return nil, err
	}
	result, err := read(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r, err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	return result, os.WriteFile(name, text, 0o644)
}

func read(src *sources) (*facts, error) {
	f := &facts{Format: format, Minor: src.release.minor, Patch: src.release.patch}
	l := newLoader(src)
	for _, c := range components {
		flags, trouble, err := l.flagsOf(c.name, c.pkg, c.fn)
		if err != nil {
			return nil, err
		}
		f.Flags = append(f.Flags, flags...)
		f.Trouble = append(f.Trouble, trouble...)
	}
	slices.Sort(f.Trouble)
	f.Trouble = slices.Compact(f.Trouble)
	var err error
	if f.Configs, err = l.configs(); err != nil {
		return nil, err
	}
	f.KubeadmDeprecated, f.KubeadmGates = l.kubeadmDeprecated(), l.kubeadmGates()
	if f.Plugins, err = l.admissionPlugins(); err != nil {
		return nil, err
	}
	return f, nil
}
