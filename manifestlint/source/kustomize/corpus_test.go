package kustomize

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint/source"
)

// corpus returns the directory corpus/kustomize below KUBEVET_CORPUS. It skips
// the test if there is no such directory.
func corpus(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("KUBEVET_CORPUS"), "corpus", "kustomize")
	if os.Getenv("KUBEVET_CORPUS") == "" || !isDir(dir) {
		t.Skip("KUBEVET_CORPUS names no corpus")
	}
	return dir
}

// TestAgainstPlainTool compares the output for all kustomizations of the corpus
// with the output of `kubectl kustomize`.
func TestAgainstPlainTool(t *testing.T) {
	tree := corpus(t)
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("there is no kubectl to compare with")
	}
	both, ours, theirs, neither, differ := 0, 0, 0, 0, 0
	inputs, _ := source.Expand([]string{tree}, source.Options{NoGitignore: true})
	o := Options{Name: func(p string) string { return p }}
	g := newGraph(inputs, &o)
	for _, k := range g.list {
		b := &builder{ctx: context.Background(), o: &o, graph: g}
		o.Timeout = DefaultTimeout
		o.Sources = noSources()
		got := b.build(k)
		cmd := exec.Command(kubectl, "kustomize", k.dir)
		cmd.Env = append(os.Environ(), "https_proxy=http://127.0.0.1:1", "http_proxy=http://127.0.0.1:1", "GIT_ALLOW_PROTOCOL=none")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		want, err := cmd.Output()
		switch {
		case err == nil && !got.failed:
			both++
			if sorted(got.text) != sorted(want) {
				differ++
				t.Logf("%s: builds to something else", k.path)
			}
		case err == nil:
			theirs++
			t.Errorf("%s: kubectl builds it, we do not: %v %v", k.path, got.findings, got.notJudged)
		case !got.failed:
			ours++
			t.Logf("%s: we build it, kubectl does not: %v; %s", k.path, got.notJudged, first(stderr.String()))
		default:
			neither++
			for _, f := range got.findings {
				t.Logf("neither: %s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
			}
			for _, n := range got.notJudged {
				t.Logf("neither: %s:%d: %s: %s", n.File, n.Line, n.Reason, n.Detail)
			}
			t.Logf("   kubectl: %s", first(stderr.String()))
		}
	}
	t.Logf("built by both %d (%d of them to something else), by us alone %d, by kubectl alone %d, by neither %d", both, differ, ours, theirs, neither)
}

func first(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	s = lines[len(lines)-1]
	if len(s) > 300 {
		s = s[:300]
	}
	return s
}

// sorted returns the documents in a fixed order, so that outputs can be
// compared.
func sorted(text []byte) string {
	docs := strings.Split("\n"+strings.TrimSpace(string(text)), "\n---\n")
	for i := range docs {
		docs[i] = strings.TrimSpace(docs[i])
	}
	sort.Strings(docs)
	return strings.Join(docs, "\n---\n")
}
