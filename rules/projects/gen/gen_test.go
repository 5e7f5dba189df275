package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const oldDefinition = `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  group: example.com
  version: v1alpha1
  names: {kind: Shop, plural: shops}
  validation:
    openAPIV3Schema:
      description: |
        {{ not a template
`

const newDefinition = `# A comment.
{{- if .Values.crds }}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {{ .Values.name }}
  annotations:
    {{- toYaml .Values.annotations | nindent 4 }}
spec:
  group: example.com
  scope: Cluster
  names:
    kind: Shop
    plural: shops
  versions:
  - name: v1alpha1
    served: true
    deprecated: true
    deprecationWarning: use v1
    schema:
      openAPIV3Schema: {type: object}
    storage: false
  - additionalPrinterColumns:
    - {name: Age}
    name: v1
    schema:
      openAPIV3Schema:
        properties:
          served: {type: boolean}
    served: true
---
kind: MutatingWebhookConfiguration
{{- end }}
`

func TestDefinitions(t *testing.T) {
	old, err := definitions(oldDefinition)
	if err != nil || len(old) != 1 || !old[0].namespaced || len(old[0].versions) != 1 || !old[0].versions[0].served {
		t.Errorf("v1beta1: %+v, %v", old, err)
	}
	all, err := definitions(newDefinition)
	if err != nil || len(all) != 1 {
		t.Fatalf("v1: %+v, %v", all, err)
	}
	d := all[0]
	if d.group != "example.com" || d.kind != "Shop" || d.resource != "shops" || d.namespaced {
		t.Errorf("%+v", d)
	}
	want := []version{{"v1alpha1", true, true, "use v1"}, {"v1", true, false, ""}}
	if len(d.versions) != 2 || d.versions[0] != want[0] || d.versions[1] != want[1] {
		t.Errorf("versions: %+v", d.versions)
	}
	if _, err := definitions("kind: CustomResourceDefinition\nspec: {group: example.com}\n"); err == nil {
		t.Error("no error for a definition without a kind")
	}
}

func TestNewestPatches(t *testing.T) {
	tags := []string{"v1.2.0", "v1.2.10", "v1.2.9", "v1.3.0-rc.1", "v0.9.0", "helm-v1.4.0", "1.10.1"}
	got, err := newestPatches(tags, "", "1.0")
	if err != nil || len(got) != 2 || got[0].tag != "v1.2.10" || got[1].String() != "1.10" {
		t.Errorf("%v, %v", got, err)
	}
	got, err = newestPatches([]string{"v0.26.1", "v0.27.0", "knative-v1.0.2", "v0.9.0"}, knativeTag, "0.1")
	if err != nil || len(got) != 3 || got[1].String() != "0.26" || got[2].tag != "knative-v1.0.2" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := newestPatches(tags, "", "2.0"); err == nil {
		t.Error("no error without a release")
	}
}

func TestAdd(t *testing.T) {
	s := source{groups: []string{"example.com", "*.example.org"}, foreign: []string{"other.com"}}
	kinds := map[kindKey]definition{}
	define := func(group string, versions ...version) error {
		return addDefinitions(kinds, s, []definition{{group: group, kind: "Shop", resource: "shops", versions: versions}})
	}
	for _, err := range []error{
		define("example.com", version{name: "v1", served: true, deprecated: true}, version{name: "v2"}),
		define("example.com", version{name: "v1", served: true}, version{name: "v2", served: true}),
		define("a.example.org", version{name: "v1"}),
		define("other.com", version{name: "v1"}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if len(kinds) != 2 {
		t.Errorf("%v", kinds)
	}
	for _, v := range kinds[kindKey{"example.com", "Shop"}].versions {
		if !v.served || v.deprecated {
			t.Errorf("%+v", v)
		}
	}
	if err := define("example.net"); err == nil {
		t.Error("no error for a group of nobody")
	}
}

// TestRepository reads a repository in which a definition is a symbolic link, and
// a clone of it without files.
func TestRepository(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	origin := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", origin, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "--quiet")
	git("config", "uploadpack.allowFilter", "true")
	git("config", "uploadpack.allowAnySHA1InWant", "true")
	for path, text := range map[string]string{"vendored/shop.yaml": oldDefinition, "crds/readme.md": "none"} {
		path = filepath.Join(origin, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../vendored/shop.yaml", filepath.Join(origin, "crds", "shop.yaml")); err != nil {
		t.Skip(err)
	}
	git("add", ".")
	git("commit", "--quiet", "-m", "one")
	git("tag", "v1.0.0")
	if err := os.WriteFile(filepath.Join(origin, "vendored", "shop.yaml"), []byte(newDefinition), 0o644); err != nil {
		t.Fatal(err)
	}
	git("commit", "--quiet", "-a", "-m", "two")
	git("tag", "v1.1.0")

	cache := t.TempDir()
	clone := filepath.Join(cache, "example", "shop.git")
	if out, err := exec.Command("git", "clone", "--quiet", "--bare", "--filter=blob:none", "file://"+origin, clone).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v: %s", err, out)
	}
	s := source{name: "shop", repository: "example/shop", since: "1.0", files: []string{"crds/*"}, groups: []string{"example.com"}}
	for name, r := range map[string]*reader{
		"clone":    {cache: cache, opened: map[string]*repository{}, parsed: map[string][]definition{}},
		"existing": {repositories: cache, opened: map[string]*repository{}, parsed: map[string][]definition{}},
	} {
		c, err := r.read(s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		table, err := newTable([]*contents{c}, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := "example.com Shop shops Cluster shop\n\tv1 served 1.1-\n\tv1alpha1 served 1.0-1.0\n\tv1alpha1 deprecated 1.1- use v1\n"
		if got := string(table.kindsText()); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
		if got := string(table.projectsText()); got != "shop example/shop 3 - 1.0.0 1.1.0\n" {
			t.Errorf("%s: %s", name, got)
		}
	}
	s.files = []string{"nowhere/*"}
	r := &reader{repositories: cache, opened: map[string]*repository{}, parsed: map[string][]definition{}}
	if _, err := r.read(s); err == nil || !strings.Contains(err.Error(), "shop: release 1.0 (v1.0.0) has no definitions in nowhere/*") {
		t.Errorf("%v", err)
	}
	if _, err := (&reader{repositories: t.TempDir(), opened: map[string]*repository{}}).read(s); err == nil {
		t.Error("no error without a repository")
	}
}
