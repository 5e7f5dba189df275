package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// writeTree writes files to a new directory and returns sources for it. files has
// the content by path. A path begins with the path of its module.
func writeTree(t *testing.T, files map[string]string) sources {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := sources{dirs: map[string]string{}}
	for _, mod := range []string{modKubernetes, modAPI, modAPIExtensions, modAggregator, modAPIServer, modComponentBase, modClientGo, modMachinery} {
		s.dirs[mod] = filepath.Join(root, filepath.FromSlash(mod))
		if err := os.MkdirAll(s.dirs[mod], 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range methodRoots(s) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// register returns the content of an API package's register.go.
func register(group, version string) string {
	return "package " + version + "\n\nconst GroupName = \"" + group + "\"\n\n" +
		"var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: \"" + version + "\"}\n"
}

func TestExtractMethods(t *testing.T) {
	src := writeTree(t, map[string]string{
		"k8s.io/api/fruit/v1beta1/register.go": register("fruit.example", "v1beta1"),
		"k8s.io/api/fruit/v1beta1/zz_generated.prerelease-lifecycle.go": `package v1beta1
func (in *Apple) APILifecycleIntroduced() (major, minor int) { return 1, 14 }
func (in *Apple) APILifecycleDeprecated() (major, minor int) { return 1, 19 }
func (in *Apple) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (in *Apple) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "fruit.example", Version: "v1", Kind: "Apple"}
}
func (in *Pear) APILifecycleDeprecated() (major, minor int) { return 0, 0 }
`,
		// A method that is written by hand, without a tag.
		"k8s.io/api/core/v1/register.go":                   register("", "v1"),
		"k8s.io/api/core/v1/lifecycle.go":                  "package v1\nfunc (in *Plum) APILifecycleDeprecated() (major, minor int) { return 1, 33 }\n",
		"k8s.io/api/core/v1/lifecycle_test.go":             "package v1\nfunc (in *Fig) APILifecycleDeprecated() (major, minor int) { return 1, 1 }\n",
		"k8s.io/kube-aggregator/pkg/apis/x/v1/register.go": register("x.example", "v1"),
		"k8s.io/kube-aggregator/pkg/apis/x/v1/z.go":        "package v1\nfunc (X) APILifecycleIntroduced() (major, minor int) { return 1, 0 }\n",
	})
	got, err := extractMethods(src)
	if err != nil {
		t.Fatal(err)
	}
	want := []lifecycleMethods{
		{gvk: gvk{"", "v1", "Plum"}, Introduced: -1, Deprecated: 33, Removed: -1},
		{gvk: gvk{"fruit.example", "v1beta1", "Apple"}, Introduced: 14, Deprecated: 19, Removed: 22, Replacement: gvk{"fruit.example", "v1", "Apple"}},
		{gvk: gvk{"fruit.example", "v1beta1", "Pear"}, Introduced: -1, Deprecated: -1, Removed: -1},
		{gvk: gvk{"x.example", "v1", "X"}, Introduced: 0, Deprecated: -1, Removed: -1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestExtractMethodsErrors checks that code which the generator cannot read is an
// error, and not a missing value.
func TestExtractMethodsErrors(t *testing.T) {
	for _, body := range []string{
		"(major, minor int) { return 2, 0 }",
		"(major, minor int) { x := 19; return 1, x }",
		"(major, minor int) { return 1, next }",
		"(major, minor int) { return }",
	} {
		src := writeTree(t, map[string]string{
			"k8s.io/api/fruit/v1/register.go": register("fruit.example", "v1"),
			"k8s.io/api/fruit/v1/z.go":        "package v1\nfunc (in *Apple) APILifecycleDeprecated() " + body + "\n",
		})
		if got, err := extractMethods(src); err == nil {
			t.Errorf("%s: got %v, want an error", body, got)
		}
	}
}

func TestParsePath(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want servedPath
		ok   bool
	}{
		{"/api/v1/pods", servedPath{PathVersion: "v1", Resource: "pods"}, true},
		{"/api/v1/namespaces/{namespace}/pods", servedPath{PathVersion: "v1", Resource: "pods", Namespaced: true}, true},
		{"/api/v1/namespaces/{namespace}/pods/{name}/eviction", servedPath{PathVersion: "v1", Resource: "pods/eviction", Namespaced: true}, true},
		{"/api/v1/namespaces/{name}", servedPath{PathVersion: "v1", Resource: "namespaces"}, true},
		{"/api/v1/namespaces/{name}/finalize", servedPath{PathVersion: "v1", Resource: "namespaces/finalize"}, true},
		{"/api/v1/nodes/{name}/proxy/{path}", servedPath{PathVersion: "v1", Resource: "nodes/proxy"}, true},
		{"/apis/apps/v1/deployments", servedPath{PathGroup: "apps", PathVersion: "v1", Resource: "deployments"}, true},
		{"/apis/apps/v1/watch/deployments", servedPath{}, false},
		{"/apis/apps/v1/", servedPath{}, false},
		{"/apis/apps/", servedPath{}, false},
		{"/api/v1/", servedPath{}, false},
		{"/version/", servedPath{}, false},
	} {
		got, ok := parsePath(tt.in)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("parsePath(%q) = %+v, %v, want %+v, %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestExtractOpenAPI(t *testing.T) {
	file := filepath.Join(t.TempDir(), "swagger.json")
	if err := os.WriteFile(file, []byte(`{
 "paths": {
  "/apis/fruit.example/v1/apples": {
   "parameters": [{"name": "pretty"}],
   "get": {"x-kubernetes-group-version-kind": {"group": "fruit.example", "version": "v1", "kind": "Apple"}}
  },
  "/apis/fruit.example/v1/namespaces/{namespace}/apples": {
   "post": {"x-kubernetes-group-version-kind": {"group": "fruit.example", "version": "v1", "kind": "Apple"}}
  },
  "/apis/fruit.example/v1/namespaces/{namespace}/apples/{name}/scale": {
   "put": {"x-kubernetes-group-version-kind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}}
  },
  "/version/": {"get": {}}
 },
 "definitions": {
  "Apple": {"x-kubernetes-group-version-kind": [{"group": "fruit.example", "version": "v1", "kind": "Apple"}]},
  "AppleList": {
   "x-kubernetes-group-version-kind": [{"group": "fruit.example", "version": "v1", "kind": "AppleList"}],
   "properties": {"items": {"items": {"$ref": "#/definitions/Apple"}}}
  },
  "NameList": {
   "x-kubernetes-group-version-kind": [{"group": "fruit.example", "version": "v1", "kind": "NameList"}],
   "properties": {"items": {"items": {"type": "string"}}}
  }
 }
}`), 0o644); err != nil {
		t.Fatal(err)
	}
	paths, lists, err := extractOpenAPI(file)
	if err != nil {
		t.Fatal(err)
	}
	apple := gvk{"fruit.example", "v1", "Apple"}
	wantPaths := []servedPath{
		{gvk{"autoscaling", "v1", "Scale"}, "fruit.example", "v1", "apples/scale", true, true},
		{apple, "fruit.example", "v1", "apples", true, true},
	}
	if !reflect.DeepEqual(paths, wantPaths) {
		t.Errorf("paths %+v\nwant %+v", paths, wantPaths)
	}
	wantLists := []listKind{{gvk{"fruit.example", "v1", "AppleList"}, apple}}
	if !reflect.DeepEqual(lists, wantLists) {
		t.Errorf("lists %+v\nwant %+v", lists, wantLists)
	}
}

const (
	noDefaults = "package apiserver\nfunc DefaultAPIResourceConfigSource() *serverstorage.ResourceConfig { return serverstorage.NewResourceConfig() }\n"

	defaults = `package controlplane
import (
	fruitv1 "k8s.io/api/fruit/v1"
	"k8s.io/api/fruit/v1beta1"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
)
var betaOff = []schema.GroupVersion{
	v1beta1.SchemeGroupVersion,
}
var legacyOn = []schema.GroupVersionResource{
	v1beta1.SchemeGroupVersion.WithResource("apples"), // for a while
}
func generic() *serverstorage.ResourceConfig {
	ret := serverstorage.NewResourceConfig()
	ret.EnableVersions(fruitv1.SchemeGroupVersion)
	return ret
}
func DefaultAPIResourceConfigSource() *serverstorage.ResourceConfig {
	ret := generic()
	ret.DisableVersions(betaOff...)
	ret.EnableResources(legacyOn...)
	return ret
}
`
)

func defaultsTree(t *testing.T, code string) sources {
	return writeTree(t, map[string]string{
		"k8s.io/api/fruit/v1/register.go":                      register("fruit.example", "v1"),
		"k8s.io/api/fruit/v1beta1/register.go":                 register("fruit.example", "v1beta1"),
		"k8s.io/kubernetes/pkg/controlplane/instance.go":       code,
		"k8s.io/apiextensions-apiserver/pkg/apiserver/a.go":    noDefaults,
		"k8s.io/kube-aggregator/pkg/apiserver/a.go":            noDefaults,
		"k8s.io/apiserver/pkg/server/storage/no_such_thing.md": "",
	})
}

func TestExtractDefaults(t *testing.T) {
	got, err := extractDefaults(defaultsTree(t, defaults))
	if err != nil {
		t.Fatal(err)
	}
	want := resourceConfig{
		EnabledVersions:  []gvr{{"fruit.example", "v1", ""}},
		DisabledVersions: []gvr{{"fruit.example", "v1beta1", ""}},
		EnabledResources: []gvr{{"fruit.example", "v1beta1", "apples"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	on := got.enabled()
	for r, enabled := range map[gvr]bool{
		{"fruit.example", "v1", "pears"}:       true,
		{"fruit.example", "v1beta1", "pears"}:  false,
		{"fruit.example", "v1beta1", "apples"}: true,
		{"fruit.example", "v2", "apples"}:      false,
	} {
		if on(r) != enabled {
			t.Errorf("%v on: %t, want %t", r, on(r), enabled)
		}
	}
}

func TestExtractDefaultsErrors(t *testing.T) {
	for _, change := range [][2]string{
		{"ret.DisableVersions(betaOff...)", "ret.Rearrange(betaOff...)"},
		{"ret.DisableVersions(betaOff...)", "ret.DisableVersions(unknown...)"},
		{"ret.DisableVersions(betaOff...)", "ret.DisableVersions(elsewhere.SchemeGroupVersion)"},
		{`WithResource("apples")`, "WithResource(apples)"},
		{"ret := generic()", "ret := missing()"},
		{"func DefaultAPIResourceConfigSource", "func Other"},
	} {
		code := strings.Replace(defaults, change[0], change[1], 1)
		if code == defaults {
			t.Fatalf("no %q", change[0])
		}
		if got, err := extractDefaults(defaultsTree(t, code)); err == nil {
			t.Errorf("%s: got %+v, want an error", change[1], got)
		}
	}
}

func TestExtractGatedResources(t *testing.T) {
	src := writeTree(t, map[string]string{
		"k8s.io/api/fruit/v1alpha1/register.go":      register("fruit.example", "v1alpha1"),
		"k8s.io/api/fruit/v1/register.go":            register("fruit.example", "v1"),
		"k8s.io/kubernetes/pkg/features/features.go": "package features\nconst Orchard featuregate.Feature = \"OrchardGate\"\nconst Ladder featuregate.Feature = \"Ladder\"\n",
		"k8s.io/kubernetes/pkg/registry/fruit/rest/storage_fruit.go": `package rest
import (
	fruitv1alpha1 "k8s.io/api/fruit/v1alpha1"
	"k8s.io/kubernetes/pkg/features"
)
func (p Provider) v1alpha1Storage(source Source) (map[string]rest.Storage, error) {
	storage := map[string]rest.Storage{}
	if resource := "apples"; source.ResourceEnabled(fruitv1alpha1.SchemeGroupVersion.WithResource(resource)) {
		if utilfeature.DefaultFeatureGate.Enabled(features.Orchard) && p.ready {
			storage[resource] = apples
			storage[resource+"/status"] = applesStatus
		} else {
			klog.Warning("off")
		}
	}
	if !utilfeature.DefaultFeatureGate.Enabled(features.Ladder) {
		storage["pears"] = pears
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.Orchard) && utilfeature.DefaultFeatureGate.Enabled(features.Ladder) {
		storage["plums"] = plums
	}
	storage["figs"] = figs
	return storage, nil
}
func (p Provider) v1Storage() map[string]rest.Storage {
	return map[string]rest.Storage{"apples": apples}
}
func helper() {
	if utilfeature.DefaultFeatureGate.Enabled(features.Ladder) {
		storage["cherries"] = cherries
	}
}
`,
	})
	got, err := extractGatedResources(src)
	if err != nil {
		t.Fatal(err)
	}
	want := []gatedResource{
		{gvr{"fruit.example", "v1alpha1", "apples"}, []string{"OrchardGate"}},
		{gvr{"fruit.example", "v1alpha1", "plums"}, []string{"OrchardGate", "Ladder"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func gatesTree(t *testing.T, kubeFeatures string) sources {
	return writeTree(t, map[string]string{
		"k8s.io/component-base/featuregate/feature_gate.go": `package featuregate
const allAlphaGate Feature = "AllAlpha"
var defaultFeatures = map[Feature]VersionedSpecs{
	allAlphaGate: {{Default: false, PreRelease: Alpha, Version: version.MajorMinor(0, 0)}},
}
`,
		"k8s.io/apiserver/pkg/features/kube_features.go": `package features
const Generic featuregate.Feature = "Generic"
var table = map[featuregate.Feature]featuregate.FeatureSpec{
	Generic: {Default: true, PreRelease: featuregate.Beta},
}
`,
		"k8s.io/component-base/logs/features.go": `package logs
const loggingDefault = true
const Logging featuregate.Feature = "Logging"
func AddFeatureGates(gate featuregate.MutableFeatureGate) error { return gate.Add(featureGates()) }
func featureGates() map[featuregate.Feature]featuregate.FeatureSpec {
	return map[featuregate.Feature]featuregate.FeatureSpec{
		Logging: {Default: loggingDefault, PreRelease: featuregate.Alpha},
	}
}
`,
		"k8s.io/component-base/unregistered/features.go": "package unregistered\nconst Other = \"Other\"\n" +
			"var gates = map[featuregate.Feature]featuregate.FeatureSpec{Other: {Default: true}}\n",
		"k8s.io/kubernetes/cmd/kube-apiserver/app/server.go": `package app
import "k8s.io/component-base/logs"
func init() { utilruntime.Must(logs.AddFeatureGates(utilfeature.DefaultMutableFeatureGate)) }
`,
		"k8s.io/kubernetes/pkg/features/kube_features.go": kubeFeatures,
	})
}

const kubeFeatures = `package features
import genericfeatures "k8s.io/apiserver/pkg/features"
const (
	Versioned featuregate.Feature = "Versioned"
	// The text, not the name of the constant, is what flags have.
	Renamed = featuregate.Feature("renamedGate")
	Later featuregate.Feature = "Later"
	Graduated featuregate.Feature = "Graduated"
)
var defaultGates = map[featuregate.Feature]featuregate.FeatureSpec{
	Graduated: {Default: true, PreRelease: featuregate.GA, LockToDefault: true},
	genericfeatures.Generic: {Default: true, PreRelease: featuregate.Beta},
}
var defaultVersioned = map[featuregate.Feature]featuregate.VersionedSpecs{
	Versioned: {
		{Version: version.MustParse("1.29"), Default: false, PreRelease: featuregate.Alpha},
		{Version: version.MustParse("1.30"), Default: true, PreRelease: featuregate.Beta},
		{Version: version.MustParse("1.31"), Default: true, LockToDefault: true, PreRelease: featuregate.GA}, // remove in 1.34
	},
	Renamed: {{Version: version.MustParse("1.30"), Default: false, PreRelease: featuregate.Deprecated}},
	Later:   {{Version: version.MustParse("1.31"), Default: false, PreRelease: featuregate.Alpha}},
}
var dependencies = map[featuregate.Feature][]featuregate.Feature{Versioned: {Renamed}}
`

func TestExtractGates(t *testing.T) {
	got, err := extractGates(gatesTree(t, kubeFeatures), 30)
	if err != nil {
		t.Fatal(err)
	}
	want := []gateFact{
		{"AllAlpha", "Alpha", false, false},
		{"Generic", "Beta", true, false},
		{"Graduated", "GA", true, true},
		{"Logging", "Alpha", true, false},
		{"Versioned", "Beta", true, false},
		{"renamedGate", "Deprecated", false, false},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestExtractGatesErrors(t *testing.T) {
	for _, change := range [][2]string{
		{"genericfeatures.Generic: {Default: true", "genericfeatures.Generic: {Default: false"},
		{"genericfeatures.Generic:", "genericfeatures.Missing:"},
		{"Default: true, PreRelease: featuregate.GA, LockToDefault: true", "Default: compute()"},
		{"LockToDefault: true},", "Frozen: true},"},
		{`version.MustParse("1.29")`, "oldVersion"},
	} {
		code := strings.Replace(kubeFeatures, change[0], change[1], 1)
		if code == kubeFeatures {
			t.Fatalf("no %q", change[0])
		}
		if got, err := extractGates(gatesTree(t, code), 30); err == nil {
			t.Errorf("%s: got %+v, want an error", change[1], got)
		}
	}
}

func TestParseReferenceGates(t *testing.T) {
	got, err := parseReferenceGates(`# generated: do not edit
- name: Old
  versionedSpecs:
  - default: true
    lockToDefault: false
    preRelease: GA
    version: "1.0"
  - default: false
    lockToDefault: true
    preRelease: Deprecated
    version: "1.33"
- name: New
  versionedSpecs:
  - default: false
    lockToDefault: false
    preRelease: Alpha
    version: "1.34"
- name: Zero
  versionedSpecs:
  - default: true
    lockToDefault: true
    preRelease: ""
    version: "1.30"
`, 33)
	if err != nil {
		t.Fatal(err)
	}
	want := []gateFact{{"Old", "Deprecated", false, true}, {"Zero", "GA", true, true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got, err := parseReferenceGates("- name: X\n  versionedSpecs:\n  - version: \"next\"\n", 33); err == nil {
		t.Errorf("got %+v, want an error", got)
	}
}
