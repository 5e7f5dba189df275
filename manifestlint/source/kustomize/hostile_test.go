package kustomize

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNothingIsExecuted puts programs into PATH that create a file when they
// run, and checks that the file does not exist after a build.
func TestNothingIsExecuted(t *testing.T) {
	bin, witness := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	for _, name := range []string{"git", "helm", "docker"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho $0 >> "+witness+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	dir := writeFiles(t, `
-- kustomization.yaml --
resources: ["https://github.com/org/repo", "ssh://git@example.com/x", "file:///etc", "git::https://example.com/x.git", "a@b:c/d"]
bases: ["github.com/org/repo"]
components: ["https://github.com/org/component"]
helmCharts: [{name: web, repo: "https://example.com"}]
crds: ["http://example.com/crd"]
configurations: ["http://example.com/c"]
openapi: {path: "http://example.com/o"}
replacements: [{path: "http://example.com/r"}]
generators: ["https://github.com/org/generator"]
`)
	set := build(t, dir, Options{EnableHelm: true, Inflate: func(context.Context, Chart) ([]byte, error) { return nil, nil }})
	if len(set.NotJudged) != 13 {
		t.Errorf("%d parts were left out, want 13:\n%s", len(set.NotJudged), report(set))
	}
	if text, err := os.ReadFile(witness); err == nil {
		t.Errorf("something was executed: %s", text)
	}
}

// TestHostile checks that the build of a hostile kustomization ends soon and
// reports why it failed.
func TestHostile(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i)
	}
	layers := "-- 0/kustomization.yaml --\nresources: [a.yaml]\n-- 0/a.yaml --\n" + cm("a")
	for i := 1; i < 14; i++ {
		layers += fmt.Sprintf("-- %d/kustomization.yaml --\nresources: [./x, ./y]\n-- %d/x/kustomization.yaml --\nresources: [../../%d]\nnamePrefix: xx\n-- %d/y/kustomization.yaml --\nresources: [../../%d]\nnamePrefix: yy\n", i, i, i-1, i, i-1)
	}
	for name, tt := range map[string]struct{ archive, want string }{
		"aliases":       {"-- kustomization.yaml --\nresources: [a.yaml]\n-- a.yaml --\n" + cm("a") + bomb, "the aliases of a document grow beyond all measure"},
		"aliases above": {"-- kustomization.yaml --\n" + bomb, "kustomization.yaml:1:1: "},
		"layers":        {layers, "it builds with more than 2000 kustomizations"},
		"deep":          {"-- kustomization.yaml --\nresources: [a.yaml]\n-- a.yaml --\n" + cm("a") + "x: " + strings.Repeat("[", 20000), "kustomization.yaml:1:13: "},
		"binary":        {"-- kustomization.yaml --\nresources: [a.yaml]\n-- a.yaml --\n\x00\x01kind", "kustomization.yaml:1:13: "},
		"nul":           {"-- kustomization.yaml --\nresources: [\"a\\0b\"]\n", "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			set := build(t, writeFiles(t, tt.archive), Options{Timeout: 2 * time.Second})
			if got := report(set); !strings.Contains(got, tt.want) {
				t.Errorf("got %.2000s, want %s", got, tt.want)
			}
			if took := time.Since(start); took > 60*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}
