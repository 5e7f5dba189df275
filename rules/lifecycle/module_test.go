package lifecycle

import (
	"strings"
	"testing"
)

func TestClientTarget(t *testing.T) {
	module := func(path, version string) Module { return Module{Path: path, Version: version} }
	// from is the limit and the module of the origin.
	for _, tt := range []struct {
		name    string
		modules []Module
		target  string
		from    string
	}{
		{"client-go", []Module{module("k8s.io/api", "v0.32.0"), module("k8s.io/client-go", "v0.31.2")}, "1.31", "k8s.io/client-go v0.31.2"},
		{"a release candidate", []Module{module("k8s.io/client-go", "v0.36.0-rc.1")}, "1.36", "k8s.io/client-go v0.36.0-rc.1"},
		{"only types", []Module{module("k8s.io/apimachinery", "v0.30.0"), module("k8s.io/api", "v0.29.0")}, "1.29", "k8s.io/api v0.29.0"},
		{"a major for each minor", []Module{module("k8s.io/client-go", "v11.0.0+incompatible")}, "1.16",
			"oldest k8s.io/client-go v11.0.0+incompatible"},
		{"a pseudo-version of old times", []Module{module("k8s.io/client-go", "v0.0.0-20190918160344-1fbdaa4c8d90")}, "1.16", "oldest k8s.io/client-go v0.0.0-20190918160344-1fbdaa4c8d90"},
		{"a pseudo-version of later", []Module{module("k8s.io/client-go", "v0.0.0-20240101000000-1fbdaa4c8d90")}, "1.37", "newest"},
		{"replaced by an older version", []Module{{"k8s.io/client-go", "v12.0.0+incompatible", "k8s.io/client-go", "v0.20.2"}}, "1.20", "k8s.io/client-go v0.20.2"},
		{"replaced by a fork of Kubernetes", []Module{{"k8s.io/client-go", "v0.31.0", "github.com/k3s-io/kubernetes/staging/src/k8s.io/client-go", "v1.30.2-k3s1"}},
			"1.30", "github.com/k3s-io/kubernetes/staging/src/k8s.io/client-go v1.30.2-k3s1"},
		{"replaced by a fork without versions", []Module{{"k8s.io/client-go", "v12.0.0+incompatible", "github.com/fork/client-go", "v0.0.0-20240101000000-1fbdaa4c8d90"}, module("k8s.io/api", "v0.30.1")},
			"1.30", "k8s.io/api v0.30.1"},
		{"replaced by a directory", []Module{{"k8s.io/client-go", "v0.31.2", "./third_party/client-go", ""}}, "1.31", "k8s.io/client-go v0.31.2"},
		{"Kubernetes itself", []Module{{"k8s.io/client-go", "v0.0.0", "./staging/src/k8s.io/client-go", ""}}, "1.37", "newest"},
		{"the module of Kubernetes", []Module{module("k8s.io/kubernetes", "v1.28.4")}, "1.28", "k8s.io/kubernetes v1.28.4"},
		{"newer than known", []Module{module("k8s.io/client-go", "v0.99.0")}, "1.37", "newest k8s.io/client-go v0.99.0"},
		{"none", []Module{module("sigs.k8s.io/yaml", "v1.4.0")}, "1.37", "newest"},
		{"no version", []Module{module("k8s.io/client-go", "v1"), module("k8s.io/api", "vx.y.z"), module("k8s.io/apimachinery", "")}, "1.37", "newest"},
	} {
		target, origin := ClientTarget(tt.modules)
		if from := strings.TrimSpace(origin.Limit + " " + origin.Module); target.Range.String() != tt.target || from != tt.from {
			t.Errorf("%s: target %s from %q, want %s from %q", tt.name, target.Range, from, tt.target, tt.from)
		}
	}
}
