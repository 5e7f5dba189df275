package codetrace

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
)

func pos(file string, line int) token.Position {
	return token.Position{Filename: file, Line: line, Column: 1}
}

// shopModule returns a module with the programs cmd/web and cmd/jobs. Both use
// pkg/common, and each uses one further package.
func shopModule() Module {
	const path = "example.com/shop/v2"
	pdb := func(file string, line int, decides, calls bool) analyzers.TracedUse {
		return analyzers.TracedUse{GroupVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Resource: "poddisruptionbudgets", Decides: decides, Calls: calls, Pos: pos(file, line)}
	}
	return Module{Path: path, Dir: "shop", Traces: []*analyzers.Trace{
		{Module: path, Package: path + "/cmd/web", Main: true, MainPos: pos("cmd/web/main.go", 3), Imports: []string{path + "/pkg/web", "fmt"}},
		{Module: path, Package: path + "/cmd/jobs", Main: true, MainPos: pos("cmd/jobs/main.go", 3), Imports: []string{path + "/pkg/jobs"}},
		{
			Module: path, Package: path + "/pkg/web", Imports: []string{path + "/pkg/common"},
			Names: []analyzers.TracedName{{Value: "shop-web", Pos: pos("pkg/web/web.go", 5)}},
			Uses:  []analyzers.TracedUse{pdb("pkg/web/web.go", 9, false, false), pdb("pkg/web/web.go", 20, true, true)},
			Writes: []analyzers.TracedWrite{
				{Group: "apps", Version: "v1", Kind: "Deployment", Verb: "update", Pos: pos("pkg/web/web.go", 30)},
				{Group: "apps", Version: "v1", Kind: "Deployment", Verb: "patch", Subresource: "status", Manager: "shop-web", Pos: pos("pkg/web/web.go", 40)},
				{Group: "example.com", Version: "v1", Kind: "Policy", Verb: "create", Pos: pos("pkg/web/web.go", 50)},
				{Verb: "create", Pos: pos("pkg/web/web.go", 60)},
			},
		},
		{
			Module: path, Package: path + "/pkg/jobs", Imports: []string{path + "/pkg/common"},
			Names: []analyzers.TracedName{{Value: "shop-jobs/1.0", Agent: true, Pos: pos("pkg/jobs/jobs.go", 5)}},
			Uses:  []analyzers.TracedUse{pdb("pkg/jobs/jobs.go", 7, true, false)},
		},
		{
			Module: path, Package: path + "/pkg/common",
			Uses: []analyzers.TracedUse{{GroupVersion: "batch/v1beta1", Pos: pos("pkg/common/scheme.go", 4)}},
		},
	}}
}

func places(list []Place, left int) string {
	var all []string
	for _, p := range list {
		all = append(all, fmt.Sprintf("%s:%d", p.At.Filename, p.At.Line))
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("+%d", left))
	}
	return strings.Join(all, " ")
}

func TestLocate(t *testing.T) {
	x := New([]Module{shopModule()})
	for _, c := range []struct {
		name   string
		client Client
		want   string // basis, name and package of each match
		uses   string
	}{
		{"manager", Client{Agent: "anything/v1", Managers: []string{"shop-web"}}, "constant shop-web /pkg/web", "pkg/web/web.go:20"},
		{"user agent", Client{Agent: "shop-jobs/1.0"}, "constant shop-jobs /pkg/jobs", "pkg/jobs/jobs.go:7"},
		{"user agent of another version", Client{Agent: "shop-jobs/2.0 (linux/amd64)"}, "constant shop-jobs /pkg/jobs", "pkg/jobs/jobs.go:7"},
		{"appended agent", Client{Agent: "main/v0 (linux/amd64) kubernetes/$Format/shop-web"}, "constant shop-web /pkg/web", "pkg/web/web.go:20"},
		{"program", Client{Agent: "jobs/v0.0.0 (linux/amd64) kubernetes/$Format", Managers: []string{"jobs"}}, "binary jobs /cmd/jobs", "pkg/jobs/jobs.go:7"},
		{"module", Client{Agent: "shop/v1"}, "module shop ", "pkg/web/web.go:20"},
		{"constant before program", Client{Agent: "jobs/v1", Managers: []string{"shop-web"}}, "constant shop-web /pkg/web", "pkg/web/web.go:20"},
		{"stranger", Client{Agent: "kubectl/v1.32.4 (linux/amd64) kubernetes/59526cd", Managers: []string{"kubectl-edit"}}, "", ""},
		{"nobody", Client{}, "", ""},
		{"version of another", Client{Agent: "x/1.0"}, "", ""},
	} {
		got, uses := "", ""
		for _, m := range x.Locate(c.client) {
			got += fmt.Sprintf("%s %s %s", m.Basis, m.Name, strings.TrimPrefix(m.Package, m.Module))
			uses += places(m.Uses(API{"policy", "v1beta1", "poddisruptionbudgets"}))
		}
		if got != c.want || uses != c.uses {
			t.Errorf("%s: %q with %q, want %q with %q", c.name, got, uses, c.want, c.uses)
		}
	}
}

func TestPlaces(t *testing.T) {
	x := New([]Module{shopModule()})
	m := x.Locate(Client{Managers: []string{"shop-web"}})[0]
	for _, c := range []struct{ got, want string }{
		{places(m.Uses(API{"batch", "v1beta1", "cronjobs"})), "pkg/common/scheme.go:4"}, // places that name the whole API version
		{places(m.Uses(API{"policy", "v1", "poddisruptionbudgets"})), ""},
		{places(m.Uses(API{"example.com", "v1", "policies"})), "pkg/web/web.go:50"}, // places for a custom resource
		{places(m.Writes("apps", "deployments", []string{"shop-web"})), "pkg/web/web.go:40"},
		{places(m.Writes("apps", "deployments", []string{"other"})), "pkg/web/web.go:30 pkg/web/web.go:40"},
		{places(m.Writes("", "pods", nil)), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	list, _ := m.Writes("apps", "deployments", []string{"shop-web"})
	if got, want := list[0].Does, "patch of the status of apps/v1 Deployment"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPlacesAreFew(t *testing.T) {
	m := shopModule()
	for i := range 10 {
		m.Traces[2].Uses = append(m.Traces[2].Uses, analyzers.TracedUse{GroupVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Resource: "poddisruptionbudgets", Calls: true, Pos: pos("pkg/web/more.go", 1+i/2)})
	}
	match := New([]Module{m}).Locate(Client{Managers: []string{"shop-web"}})[0]
	if got, want := places(match.Uses(API{"policy", "v1beta1", "poddisruptionbudgets"})), "pkg/web/more.go:1 pkg/web/more.go:2 pkg/web/more.go:3 +3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSeveralModules checks a client whose name several modules have. Only the modules
// with the strongest basis must be reported.
func TestSeveralModules(t *testing.T) {
	var all []Module
	for _, path := range []string{"example.com/a", "example.com/b", "example.com/keeper"} {
		all = append(all, Module{Path: path, Traces: []*analyzers.Trace{{Module: path, Package: path + "/cmd", Main: true}}, Programs: []Program{{Name: "keeper", At: pos("Makefile", 2)}}})
	}
	all[2].Programs = nil
	got := New(all).Locate(Client{Agent: "keeper/v1"})
	if len(got) != 2 || got[0].Module != "example.com/a" || got[1].Module != "example.com/b" || got[0].At.Filename != "Makefile" || got[0].Package != "example.com/a/cmd" {
		t.Errorf("%+v", got)
	}
}

func TestPathBase(t *testing.T) {
	for path, want := range map[string]string{"example.com/shop": "shop", "example.com/shop/v2": "shop", "gopkg.in/shop.v3": "shop", "v2": "v2", "shop": "shop"} {
		if got := pathBase(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
