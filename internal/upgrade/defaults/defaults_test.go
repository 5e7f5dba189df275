package defaults

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// object returns an object of a file, or of a cluster if live is true.
func object(root *wire.Value, live bool) *seen.Object {
	return &seen.Object{
		Ref:  rules.ObjectRef{APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""), Name: root.Get("metadata").Get("name").StringOr("")},
		Root: root, Live: live,
		Place: func(at wire.Pos) upgrade.Evidence {
			return upgrade.Evidence{File: "x.yaml", Line: at.Line, Column: at.Column}
		},
	}
}

const agent = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      hostNetwork: true
      containers:
      - name: agent
        image: agent
        ports:
        - containerPort: 7472
`

func TestFacts(t *testing.T) {
	const hostPort = "1.28 x.yaml:14 apps/v1 DaemonSet spec.template.spec.containers[*].ports[*].hostPort: in 1.27 the server sets it if the manifest does not, here to 7472; in 1.28 it leaves it empty" +
		" https://github.com/kubernetes/kubernetes/blob/release-1.28/pkg/apis/core/v1/defaults.go"
	for name, c := range map[string]struct {
		from, to lifecycle.Minor
		text     string
		live     bool
		want     []string
	}{
		"a default that a release takes back":   {27, 33, agent, false, []string{hostPort}},
		"from a release without known defaults": {20, 28, agent, false, []string{hostPort}},
		"after the change":                      {28, 33, agent, false, nil},
		"before the first known release":        {20, 26, agent, false, nil},
		"a field that the manifest sets":        {27, 33, strings.ReplaceAll(agent, "7472", "7472\n          hostPort: 7472"), false, nil},
		"a pod without the host's network":      {27, 33, strings.ReplaceAll(agent, "true", "false"), false, nil},
		"an object of a cluster":                {27, 33, agent, true, nil},
		"a field that only one release knows":   {30, 31, "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}], volumes: [{name: a, image: {reference: x}}]}}", false, nil},
		"a field that no release knows":         {27, 28, strings.ReplaceAll(agent, "hostNetwork", "hostnet: true\n      hostNetwork"), false, []string{strings.ReplaceAll(hostPort, ":14 ", ":15 ")}},
		"a value that the old release replaces": {28, 29, "{apiVersion: flowcontrol.apiserver.k8s.io/v1beta3, kind: PriorityLevelConfiguration, metadata: {name: a, annotations: {flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares: ''}}, spec: {type: Limited, limited: {nominalConcurrencyShares: 0, limitResponse: {type: Reject}}}}", false,
			[]string{"1.29 x.yaml:1 flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration spec.limited.nominalConcurrencyShares: in 1.28 the server sets 30, in 1.29 0" +
				" https://github.com/kubernetes/kubernetes/blob/release-1.29/pkg/apis/flowcontrol/v1beta3/defaults.go"}},
		"another default that is only new": {26, 37, "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}", false, nil},
		"an object that is refused":        {27, 28, strings.ReplaceAll(agent, "7472", "many"), false, nil},
		"another kind":                     {27, 33, "{apiVersion: example.com/v1, kind: DaemonSet, spec: {}}", false, nil},
		"no object":                        {27, 33, "{a: b}", false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			check := New(upgrade.Upgrade{From: c.from, To: c.to})
			for _, root := range manifestlint.Trees(c.text) {
				check.See(object(root, c.live))
			}
			var got []string
			for _, f := range check.Facts() {
				got = append(got, fmt.Sprintf("%s %s:%d %s: %s %s", f.Planned, f.Evidence.File, f.Evidence.Line, f.Subject, f.Text, f.Reference))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestKnown compares all default changes, from the oldest to the newest release, with the
// recorded objects of real servers. docs/upgrade.md has the list.
func TestKnown(t *testing.T) {
	file, err := os.Open("../../../rules/apiserver/admitted/testdata/oracle/cases.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	check := New(upgrade.Upgrade{From: Oldest, To: lifecycle.Newest})
	for d := json.NewDecoder(cases); d.More(); {
		var c struct{ Obj json.RawMessage }
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if obj, err := wire.JSON(c.Obj); err == nil {
			check.See(object(obj, false))
		}
	}
	if check.objects < 300 {
		t.Errorf("%d objects", check.objects)
	}
	var got []string
	for _, f := range check.Facts() {
		parts := strings.Split(f.Subject, ".")
		got = append(got, f.Planned+" "+strings.Join(parts[len(parts)-2:], "."))
	}
	slices.Sort(got)
	want := []string{"1.28 ports[*].hostPort", "1.37 limits.hugepages-2Mi", "1.37 resources.requests"}
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
