package manifestlint

import (
	"slices"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

func TestCurrentRelease(t *testing.T) {
	for _, c := range []struct {
		name   string
		status []string // status of revision 1, 2, …
		want   []int
	}{
		{"the newest is deployed", []string{"superseded", "superseded", "deployed"}, []int{3}},
		{"a failed upgrade", []string{"superseded", "deployed", "failed"}, []int{2}},
		{"an upgrade that is under way", []string{"deployed", "pending-upgrade"}, []int{1}},
		{"two are deployed, by a race", []string{"deployed", "deployed"}, []int{2}},
		{"none is deployed", []string{"failed", "failed"}, []int{2}},
		{"a failed install, replaced", []string{"superseded", "failed"}, []int{2}},
		{"uninstalled, with its history kept", []string{"superseded", "uninstalled"}, nil},
		{"alone", []string{"pending-install"}, []int{1}},
		{"alone and replaced", []string{"superseded"}, nil},
	} {
		var all []*storedRelease
		for i, status := range c.status {
			all = append(all, &storedRelease{namespace: "shop", name: "web", status: status, revision: i + 1})
		}
		// Other releases must not matter, nor a release with this name in another
		// namespace.
		all = append(all, &storedRelease{namespace: "shop", name: "other", status: "deployed", revision: 9},
			&storedRelease{namespace: "ops", name: "web", status: "deployed", revision: 9})
		for range 2 {
			var got []int
			for _, s := range all {
				if s.namespace == "shop" && s.name == "web" && currentRelease(s, all) {
					got = append(got, s.revision)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
			slices.Reverse(all)
		}
	}
}

func TestTemplateSource(t *testing.T) {
	for doc, want := range map[string]string{
		"---\n# Source: web/templates/a.yaml\nkind: A\n":            "web/templates/a.yaml",
		"# a licence\n\n# Source: web/charts/b/c.yaml\r\nkind: A\n": "web/charts/b/c.yaml",
		"kind: A\n# Source: web/templates/a.yaml\n":                 "",
		"": "",
	} {
		if got := templateSource([]byte(doc)); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// TestReleaseSpellings checks that Helm releases are found in all spellings of
// YAML and JSON. Other objects with the key "release" must not be decoded.
func TestReleaseSpellings(t *testing.T) {
	l := New(options())
	for _, c := range []struct {
		doc   string
		found bool
	}{
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype: helm.sh/release.v1\ndata: {release: '?'}\n", true},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype: \"helm\\x2esh/release.v1\"\ndata:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype: \"hel\\x6d.sh/release.v1\"\ndata:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype:\n  helm.sh/release.v1 # a line of its own\ndata:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  annotations: {b: &c helm.sh/release.v1}\ntype: *c\nstringData:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype: >-\n  helm.sh/release.v1\ndata:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {owner: 'helm'}}\ndata: {release: '?'}\n", true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    \"owner\": &o helm\ndata:\n  release: '?'\n", true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {\n    owner:\n      helm,\n    b: c }\ndata:\n  release: '?'\n", true},
		{`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "labels": {"owner": "helm"}}, "data": {"release": "?"}}`, true},
		{"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, labels: {owner: helm}}\n  data: {release: '?'}\n", true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {owner: me, release: b}}\ndata: {release: '?'}\n", false},
		{"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntype: Opaque\ndata: {release: '?'}\n", false},
	} {
		findings, _ := l.Bytes("a.yaml", []byte(c.doc))
		broken := func(f rules.Finding) bool { return f.Rule == ruleSyntax }
		if slices.ContainsFunc(findings, broken) != c.found {
			t.Errorf("found %v in\n%s", findings, c.doc)
		}
	}
}
