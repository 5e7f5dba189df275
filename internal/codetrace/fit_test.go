package codetrace

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
)

// widgetModule returns the module of an operator with two programs. The first program has
// a name that many projects use. The other modules in the test have a program with the
// name of the second.
func widgetModule() Module {
	const path = "example.com/widget-operator"
	return Module{
		Path: path, Dir: "w", Programs: []Program{{Name: "manager", Package: path + "/cmd", At: pos("Makefile", 2)}},
		Traces: []*analyzers.Trace{
			{Module: path, Package: path + "/cmd", Main: true, MainPos: pos("cmd/main.go", 3), Imports: []string{path + "/ctl"}},
			{Module: path, Package: path + "/cmd/importer", Main: true, MainPos: pos("cmd/importer/main.go", 3), Imports: []string{path + "/ctl"}},
			{
				Module: path, Package: path + "/ctl",
				Names: []analyzers.TracedName{
					{Value: "kubectl-client-side-apply", Pos: pos("ctl/old.go", 3)},
					{Value: "sync-controller", Agent: true, Pos: pos("ctl/agent.go", 4)},
					{Value: "widgets.example.com", Agent: true, Pos: pos("ctl/agent.go", 5)},
				},
				Places: []analyzers.TracedPlace{
					{Group: "example.com", Version: "v1beta1", Kind: "Widget", Verb: "informer", Pos: pos("ctl/ctl.go", 10)},
					{Group: "example.com", Version: "v1beta1", Kind: "Widget", Verb: "get", Cached: true, Pos: pos("ctl/ctl.go", 20)},
					{Group: "example.com", Version: "v1beta1", Kind: "Widget", Verb: "", Pos: pos("ctl/ctl.go", 30)},
					{AnyGroup: true, Version: "v1", Kind: "Gadget", Verb: "list", Pos: pos("ctl/ctl.go", 40)},
					{Group: "metrics.k8s.io", Version: "v1beta1", Kind: "PodMetrics", Verb: "get", Pos: pos("ctl/ctl.go", 50)},
				},
				Writes: []analyzers.TracedWrite{{Group: "example.com", Version: "v1beta1", Kind: "Widget", Verb: "createorupdate", Pos: pos("ctl/ctl.go", 60)}},
			},
		},
	}
}

func TestLocateGeneric(t *testing.T) {
	x := New([]Module{widgetModule()})
	own, others := []API{{"example.com", "v1beta1", "widgets"}}, []API{{"example.org", "v1", "probes"}}
	for _, c := range []struct {
		name   string
		client Client
		want   string // basis, name and package of each match
	}{
		{"a name that many have", Client{Agent: "manager/v1"}, ""},
		{"with the module's custom resource", Client{Agent: "manager/v1", APIs: own}, "binary manager /cmd"},
		{"with the module's service account", Client{Agent: "manager/v1", User: "system:serviceaccount:widget-system:default"}, "binary manager /cmd"},
		{"with another's", Client{Agent: "manager/v1", User: "system:serviceaccount:probe-system:operator"}, ""},
		{"with a user that is no service account", Client{Agent: "manager/v1", User: "widget"}, ""},
		{"with another's custom resource", Client{Agent: "manager/v1", User: "system:serviceaccount:widget-system:default", APIs: others}, ""},
		{"a name of its own", Client{Agent: "importer/v1"}, "binary importer /cmd/importer"},
		{"which another has, too", Client{Agent: "importer/v1", APIs: others}, ""},
		{"where the group is not known", Client{Agent: "importer/v1", APIs: []API{{"example.net", "v1", "gadgets"}}}, "binary importer /cmd/importer"},
		{"kubectl, of which the code only speaks", Client{Agent: "kubectl/v1.32", Managers: []string{"kubectl-client-side-apply"}}, ""},
		{"a part of the control plane", Client{Agent: "kube-controller-manager/v1.32 (linux/amd64) kubernetes/0123abc/sync-controller"}, ""},
		{"a part of another program", Client{Agent: "widgetd/v1.32 (linux/amd64) kubernetes/0123abc/sync-controller"}, "constant sync-controller /ctl"},
		{"a later product", Client{Agent: "widgetd-sync/v1 (linux/amd64) widgets.example.com/0123abc"}, "constant widgets.example.com /ctl"},
		{"a comment", Client{Agent: "x/v1 (widgets.example.com; importer)"}, ""},
		{"a comment without an end", Client{Agent: "x/v1 (importer/"}, ""},
		{"a name that begins so", Client{Agent: "importer-sidecar/v1"}, ""},
		{"a version", Client{Agent: "x/importer"}, ""},
	} {
		got := ""
		for _, m := range x.Locate(c.client) {
			got += m.Basis.String() + " " + m.Name + " " + strings.TrimPrefix(m.Package, m.Module)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOpenEnded checks code that chooses resources at run time. A custom resource must
// not contradict it, unless the code names other custom resources.
func TestOpenEnded(t *testing.T) {
	tool := Module{Path: "example.com/cleaner", Traces: []*analyzers.Trace{
		{Package: "example.com/cleaner", Main: true, Imports: []string{"k8s.io/client-go/dynamic"}},
	}}
	c := Client{Agent: "cleaner/v1", APIs: []API{{"example.org", "v1", "probes"}}}
	if got := New([]Module{tool}).Locate(c); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	tool.Traces[0].Places = []analyzers.TracedPlace{{Group: "cleaner.example.com", Version: "v1", Kind: "Rule", Verb: "list"}}
	if got := New([]Module{tool}).Locate(c); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPlacesOfVerbs(t *testing.T) {
	m := New([]Module{widgetModule()}).Locate(Client{Agent: "importer"})[0]
	widget := API{"example.com", "v1beta1", "widgets"}
	for _, c := range []struct {
		api   API
		verbs []string
		want  string
	}{
		{widget, []string{"watch"}, "ctl/ctl.go:10"},
		{widget, []string{"list", "watch"}, "ctl/ctl.go:10"},
		{widget, []string{"get"}, "ctl/ctl.go:20"},
		{widget, []string{"create"}, "ctl/ctl.go:60"},
		{widget, []string{"update"}, "ctl/ctl.go:60"},
		{widget, []string{"delete"}, "ctl/ctl.go:10 ctl/ctl.go:20 ctl/ctl.go:60"}, // no place has this verb, so places with other verbs are returned
		{API{"example.com", "v1", "widgets"}, []string{"get"}, ""},
		{API{"example.net", "v1", "gadgets"}, []string{"list"}, "ctl/ctl.go:40"},
		{API{"apps", "v1", "gadgets"}, []string{"list"}, ""},
		{API{"metrics.k8s.io", "v1beta1", "pods"}, []string{"get"}, "ctl/ctl.go:50"},
	} {
		if got := places(m.Uses(c.api, c.verbs...)); got != c.want {
			t.Errorf("%v %v: %q, want %q", c.verbs, c.api, got, c.want)
		}
	}
}

// FuzzLocate checks that no client makes the search panic or take long.
func FuzzLocate(f *testing.F) {
	x := New([]Module{shopModule(), widgetModule()})
	f.Add("a/v1 (b) kubernetes/c/d e/f", "system:serviceaccount:a:b", "m")
	f.Add("((((", "", "manager")
	f.Fuzz(func(t *testing.T, agent, user, manager string) {
		for _, m := range x.Locate(Client{Agent: agent, User: user, Managers: []string{manager}, APIs: []API{{agent, user, manager}}}) {
			if m.Name == "" || m.Basis == 0 {
				t.Errorf("%+v", m)
			}
		}
	})
}
