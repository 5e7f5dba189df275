package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// typesFormat is part of a cached file's name: raise it when the extraction
// changes.
const typesFormat = 1

// typeFacts has one release's data about the Go types that objects are decoded into.
type typeFacts struct {
	// Release is the version that was read.
	Release string
	// Roots are the kinds, as the names of their types in Types.
	Roots []rootType
	// Types are all named types that the roots are made of, sorted by ID.
	Types []typeFact
}

// rootType is the type of a kind.
type rootType struct {
	gvk
	ID string
}

// typeFact is a named type.
type typeFact struct {
	// ID is the import path and the name, such as k8s.io/api/core/v1.Pod.
	ID string
	// Name is what reflection prints, such as v1.Pod.
	Name string
	// Own marks a type that decodes itself.
	Own bool `json:",omitempty"`
	// Underlying is the underlying type of a named type that is not a struct, in the
	// notation of typeExpr.
	Underlying string `json:",omitempty"`
	// Fields are a struct's fields, those of embedded structs included, in
	// the order of their JSON names.
	Fields []fieldFact `json:",omitempty"`
}

// fieldFact is a field as decoding sees it.
type fieldFact struct {
	// JSON is the name in JSON, Go that of the field.
	JSON, Go string
	// Embedded are the embedded structs on the way to the field, joined by
	// dots.
	Embedded string `json:",omitempty"`
	// Type is the field's type in the notation of typeExpr.
	Type string
}

// typeModules returns the modules that types are read from.
func (r release) typeModules() []module {
	var mods []module
	for _, m := range r.modules() {
		switch m.path {
		case modAPI:
			mods = append(mods, m, module{modMachinery, m.version})
		case modAPIExtensions, modAggregator:
			mods = append(mods, m)
		}
	}
	return mods
}

// loadTypes returns a release's types, from the cache directory if possible and
// otherwise from the release itself; see loadFacts.
func loadTypes(r release, cacheDir, modCache string) (*typeFacts, error) {
	name := filepath.Join(cacheDir, strings.Replace(cacheName(r), fmt.Sprintf("facts%d", factsFormat), fmt.Sprintf("types%d", typesFormat), 1))
	data, err := os.ReadFile(name)
	if err == nil {
		f := new(typeFacts)
		if err := json.Unmarshal(data, f); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return nil, err
	}
	if modCache == "" {
		if modCache, err = os.MkdirTemp(cacheDir, "modules-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(modCache)
	}
	src, err := fetchModules(r.typeModules(), modCache)
	if err != nil {
		return nil, err
	}
	f, err := extractTypes(r, src)
	if err != nil {
		return nil, fmt.Errorf("reading Kubernetes %s: %w", r, err)
	}
	if data, err = json.MarshalIndent(f, "", " "); err != nil {
		return nil, err
	}
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return nil, err
	}
	return f, os.Rename(part, name)
}
