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

// typesFormat is part of a cached file's name. Increase it when the extraction
// changes.
const typesFormat = 1

// typeFacts has the data of one release about the Go types of API objects.
type typeFacts struct {
	// Release is the version of the sources, such as "1.37.1".
	Release string
	// Roots are the kinds, each with the ID of its type in Types.
	Roots []rootType
	// Types are the types of Roots and all named types of their fields, sorted by
	// ID.
	Types []typeFact
}

// rootType is a kind and the ID of its Go type.
type rootType struct {
	gvk
	ID string
}

// typeFact describes a named Go type.
type typeFact struct {
	// ID is the import path, "." and the type's name, such as
	// k8s.io/api/core/v1.Pod.
	ID string
	// Name is the type's name as package reflect prints it, such as v1.Pod.
	Name string
	// Own is set if the type has its own method UnmarshalJSON or UnmarshalText.
	Own bool `json:",omitempty"`
	// Underlying is the declared type of a type that is not a struct, in the
	// notation of typeExpr. It is empty for structs, and JSONSchemaProps for
	// JSONSchemaPropsOrArray and similar structs.
	Underlying string `json:",omitempty"`
	// Fields are the fields of a struct, in the order of their JSON names. Fields
	// of embedded structs are included.
	Fields []fieldFact `json:",omitempty"`
}

// fieldFact is a field of a struct as a JSON decoder sees it.
type fieldFact struct {
	// JSON and Go are the field's names in JSON and in Go.
	JSON, Go string
	// Embedded has the names of the embedded structs that contain the field,
	// outermost first, joined by dots.
	Embedded string `json:",omitempty"`
	// Type is the field's type, in the notation of typeExpr.
	Type string
}

// typeModules returns the modules of a release that have the types of API
// objects.
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

// loadTypes returns the types of a release from the cache directory, or else from
// the release's modules; see loadFacts.
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
