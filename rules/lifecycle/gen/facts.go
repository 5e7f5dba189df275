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

// factsFormat is part of a cached file's name. Increase it when the extraction
// changes: the generator then ignores files of older formats.
const factsFormat = 2

// facts has the data of one release's sources. Each list is sorted.
type facts struct {
	// Release is the version of the sources, such as "1.37.1".
	Release string
	// Methods are the kinds with at least one APILifecycle method.
	Methods []lifecycleMethods
	// Paths are the kinds that the paths of the OpenAPI document serve. The
	// document is from a server with --runtime-config=api/all=true and, since
	// 1.21, with all alpha gates on.
	Paths []servedPath
	// Lists are the kinds whose items are objects of another kind.
	Lists []listKind
	// Defaults is the resource configuration of a server without
	// --runtime-config.
	Defaults resourceConfig
	// GatedResources are the resources that are installed only if feature gates
	// are on.
	GatedResources []gatedResource
	// Gates are the gates that kube-apiserver's --feature-gates knows.
	Gates []gateFact
	// ReferenceGates is Kubernetes' own list of the versioned gates of all
	// components, since 1.33. It is only compared with Gates.
	ReferenceGates []gateFact
}

// gvk identifies a kind. Group and version are spelled as in the server.
type gvk struct{ Group, Version, Kind string }

func (k gvk) String() string { return groupVersion(k.Group, k.Version) + " " + k.Kind }

func (k gvk) compare(o gvk) int {
	return cmp.Or(cmp.Compare(k.Group, o.Group), cmp.Compare(k.Version, o.Version), cmp.Compare(k.Kind, o.Kind))
}

// gvr identifies a resource.
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

// lifecycleMethods are the return values of one type's APILifecycle methods. x
// means Kubernetes 1.x, and -1 means that the type lacks the method.
type lifecycleMethods struct {
	gvk
	Introduced, Deprecated, Removed int
	Replacement                     gvk
}

// servedPath is a path of the API and the kind of the objects at this path.
type servedPath struct {
	gvk
	// PathGroup and PathVersion are the group and version in the path. They
	// differ from the kind's for a subresource such as deployments/scale.
	PathGroup, PathVersion string
	// Resource is the plural in lower case. For a subresource, "/" and the
	// subresource's name follow.
	Resource   string
	Namespaced bool
	// Create is set if the path accepts POST or PUT of this kind.
	Create bool
}

// listKind is a kind whose objects are lists. Item is the kind of the items.
type listKind struct {
	gvk
	Item gvk
}

// resourceConfig says which versions and resources are on and off, like
// Kubernetes' APIResourceConfigSource.
type resourceConfig struct {
	EnabledVersions, DisabledVersions   []gvr // their Resource is empty
	EnabledResources, DisabledResources []gvr
}

// gatedResource is a resource that a server installs only if all Gates are on.
type gatedResource struct {
	gvr
	Gates []string
}

// gateFact is a feature gate as one release defines it.
type gateFact struct {
	Name            string
	Stage           string // Alpha, Beta, GA or Deprecated
	Default, Locked bool
}

// loadFacts returns the facts of a release from the cache directory, or else from
// the release's modules, which it downloads to modCache. If modCache is empty, it
// downloads them to a temporary directory.
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
	// The rename prevents that an interrupted run leaves a partial file.
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return nil, err
	}
	return f, os.Rename(part, name)
}

// cacheName returns the file name of a release's facts. The name contains all
// pinned versions.
func cacheName(r release) string {
	var b strings.Builder
	fmt.Fprintf(&b, "facts%d-%s", factsFormat, r)
	if r.aggregatorPatch != 0 {
		fmt.Fprintf(&b, "-small%d", r.aggregatorPatch)
	}
	return b.String() + ".json"
}

// extract returns all facts about one release, or only the OpenAPI document if
// the release is pathsOnly.
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

// sortedCompact returns the list sorted and without duplicates. It changes the
// argument.
func sortedCompact[T comparable](list []T, compare func(a, b T) int) []T {
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}
