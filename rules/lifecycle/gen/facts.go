package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// factsFormat is part of a cached file's name: raise it when the extraction
// changes, so that facts of an older generator are not read again.
const factsFormat = 2

// facts has the data of one release, each list sorted, without interpretation.
type facts struct {
	// Release is the version that was read, such as "1.37.1".
	Release string
	// Methods are the kinds with at least one APILifecycle method.
	Methods []lifecycleMethods
	// Paths are the kinds that the OpenAPI document's paths serve. The
	// document is made from a server with --runtime-config=api/all=true and,
	// since 1.21, with all alpha gates on.
	Paths []servedPath
	// Lists are the kinds whose items are of another kind.
	Lists []listKind
	// Defaults is the resource configuration without --runtime-config.
	Defaults resourceConfig
	// GatedResources are resources whose installation asks a feature gate.
	GatedResources []gatedResource
	// Gates are the gates that kube-apiserver's --feature-gates knows.
	Gates []gateFact
	// ReferenceGates is the project's own list of all components' versioned
	// gates (since 1.33): a cross-check of Gates, never a source.
	ReferenceGates []gateFact
}

// gvk names a kind; version and group as the server spells them.
type gvk struct{ Group, Version, Kind string }

func (k gvk) String() string { return groupVersion(k.Group, k.Version) + " " + k.Kind }

func (k gvk) compare(o gvk) int {
	return cmp.Or(cmp.Compare(k.Group, o.Group), cmp.Compare(k.Version, o.Version), cmp.Compare(k.Kind, o.Kind))
}

// gvr names a resource.
type gvr struct{ Group, Version, Resource string }

func (r gvr) compare(o gvr) int {
	return cmp.Or(cmp.Compare(r.Group, o.Group), cmp.Compare(r.Version, o.Version), cmp.Compare(r.Resource, o.Resource))
}

// groupVersion returns the apiVersion of a group and version.
func groupVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

// lifecycleMethods are the values of one type's APILifecycle methods. Minors
// are of Kubernetes 1.x; -1 means that the method is absent, and 0 is 1.0.
type lifecycleMethods struct {
	gvk
	Introduced, Deprecated, Removed int
	Replacement                     gvk
}

// servedPath is a kind at a path of the API.
type servedPath struct {
	gvk
	// Group and version of the path; they differ from the kind's for
	// subresources such as deployments/scale.
	PathGroup, PathVersion string
	// Resource is the lower-case plural, followed by "/" and the subresource.
	Resource   string
	Namespaced bool
	// Create reports whether the path accepts POST or PUT of the kind.
	Create bool
}

// listKind is a kind that is a list of another one.
type listKind struct {
	gvk
	Item gvk
}

// resourceConfig is an APIResourceConfigSource.
type resourceConfig struct {
	EnabledVersions, DisabledVersions   []gvr // Resource is empty
	EnabledResources, DisabledResources []gvr
}

// gatedResource is a resource that is installed only if all Gates are on.
type gatedResource struct {
	gvr
	Gates []string
}

// gateFact is a feature gate as one release registers it.
type gateFact struct {
	Name            string
	Stage           string // Alpha, Beta, GA, Deprecated
	Default, Locked bool
}

// loadFacts returns a release's facts, from the cache directory if possible and
// otherwise from the release itself. Modules are downloaded into modCache or, if it is
// empty, into a directory that is removed afterwards.
func loadFacts(r release, cacheDir, modCache string) (*facts, error) {
	name := filepath.Join(cacheDir, cacheName(r))
	data, err := os.ReadFile(name)
	if err == nil {
		f := new(facts)
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
	src, err := fetch(r, modCache)
	if err != nil {
		return nil, err
	}
	f, err := extract(r, src)
	if err != nil {
		return nil, fmt.Errorf("reading Kubernetes %s: %w", r, err)
	}
	if data, err = json.MarshalIndent(f, "", " "); err != nil {
		return nil, err
	}
	// Rename, so that an interrupted run leaves no half a file behind.
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return nil, err
	}
	return f, os.Rename(part, name)
}

// cacheName is the file of a release's facts: every pinned version is in it.
func cacheName(r release) string {
	var b strings.Builder
	fmt.Fprintf(&b, "facts%d-%s", factsFormat, r)
	if r.small != 0 {
		fmt.Fprintf(&b, "-small%d", r.small)
	}
	return b.String() + ".json"
}

// extract reads everything from the sources of one release.
func extract(r release, src sources) (*facts, error) {
	f := &facts{Release: r.String()}
	var err error
	if f.Paths, f.Lists, err = extractOpenAPI(src.dir(modKubernetes, "api", "openapi-spec", "swagger.json")); err != nil || r.pathsOnly {
		return f, err
	}
	if f.Methods, err = extractMethods(src); err != nil {
		return nil, err
	}
	if f.Defaults, err = extractDefaults(src); err != nil {
		return nil, err
	}
	if f.GatedResources, err = extractGatedResources(src); err != nil {
		return nil, err
	}
	if f.Gates, err = extractGates(src, r.minor); err != nil {
		return nil, err
	}
	f.ReferenceGates, err = extractReferenceGates(src, r.minor)
	return f, err
}

// sortedCompact sorts a list and drops equal neighbours.
func sortedCompact[T comparable](list []T, compare func(a, b T) int) []T {
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}
