package drain

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func facts(text string, live bool) []upgrade.Fact {
	c := New(upgrade.Upgrade{From: 29, To: 31})
	for _, root := range manifestlint.Trees(text) {
		meta := root.Get("metadata")
		c.See(&seen.Object{
			Ref: rules.ObjectRef{
				APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
				Namespace: meta.Get("namespace").StringOr(""), Name: meta.Get("name").StringOr(""),
			},
			Root: root, Live: live,
			Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{File: "x.yaml", Line: at.Line} },
		})
	}
	return c.Facts()
}

const (
	web = "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2, template: {metadata: {labels: {app: web}}}}}\n"
	pdb = "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, "
)

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		live       bool
		want       []string
	}{
		{"no disruption", web + pdb + "maxUnavailable: 0}}", false,
			[]string{"error PodDisruptionBudget web: maxUnavailable 0 allows no disruption; it selects Deployment web"}},
		{"all of them", web + pdb + "minAvailable: 100%}}", false,
			[]string{"error PodDisruptionBudget web: minAvailable 100% allows no disruption; it selects Deployment web"}},
		{"as many as there are", web + pdb + "minAvailable: 2}}", false,
			[]string{"error PodDisruptionBudget web: minAvailable 2 of 2 pods allows no disruption; it selects Deployment web"}},
		{"a percentage is rounded up", web + pdb + "minAvailable: 51%}}", false,
			[]string{"error PodDisruptionBudget web: minAvailable 51% of 2 pods allows no disruption; it selects Deployment web"}},
		{"the same in two overlays", strings.Replace(web, "replicas: 2", "replicas: 1", 1) + web + web + pdb + "minAvailable: 2}}", false,
			[]string{"error PodDisruptionBudget web: minAvailable 2 of 2 pods allows no disruption; it selects Deployment web"}},
		{"one less", web + pdb + "minAvailable: 1}}", false, nil},
		{"half", web + pdb + "minAvailable: 50%}}", false, nil},
		{"any percentage of what may be away is one pod", web + pdb + "maxUnavailable: 1%}}", false, nil},
		{"one by default", strings.Replace(web, "replicas: 2, ", "", 1) + pdb + "minAvailable: 1}}", false,
			[]string{"warning PodDisruptionBudget web: minAvailable 1 of 1 pod allows no disruption, as replicas are not set; it selects Deployment web"}},
		{"replicas that an autoscaler sets", "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: web}}}\n" + strings.Replace(web, "replicas: 2, ", "", 1) + pdb + "minAvailable: 2}}", false, nil},
		{"no pods", strings.Replace(web, "replicas: 2", "replicas: 0", 1) + pdb + "minAvailable: 1}}", false, nil},
		{"pods elsewhere", pdb + "maxUnavailable: 0%}}", false,
			[]string{"warning PodDisruptionBudget web: maxUnavailable 0% allows no disruption; it selects no workload that was seen"}},
		{"another namespace", strings.Replace(web, "name: web", "name: web, namespace: a", 1) + pdb + "minAvailable: 2}}", false, nil},
		{"a status that allows none", pdb + "minAvailable: 1}, status: {disruptionsAllowed: 0, expectedPods: 3, currentHealthy: 1}}", true,
			[]string{"error PodDisruptionBudget web: its status allows no disruption: 1 of 3 pods are healthy"}},
		{"a status that allows one", web + pdb + "minAvailable: 2}, status: {disruptionsAllowed: 1, expectedPods: 3, currentHealthy: 3}}", true, nil},
		{"a status without pods", pdb + "maxUnavailable: 0}, status: {disruptionsAllowed: 0, expectedPods: 0}}", true, nil},
		{"two budgets", web + pdb + "maxUnavailable: 1}}\n" + strings.Replace(pdb, "name: web", "name: all", 1) + "maxUnavailable: 1}}", false,
			[]string{"error Deployment web: the server evicts no pod that more than one PodDisruptionBudget selects, and these do: all, web"}},
		{"one budget twice", web + pdb + "maxUnavailable: 1}}\n" + pdb + "maxUnavailable: 1}}", false, nil},
		{"expressions", web + "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 0, selector: {matchExpressions: [{key: app, operator: In, values: [a, web]}, {key: x, operator: DoesNotExist}]}}}", false,
			[]string{"error PodDisruptionBudget web: maxUnavailable 0 allows no disruption; it selects Deployment web"}},
		{"an empty selector selects all", web + "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: all}, spec: {maxUnavailable: 0, selector: {}}}", false,
			[]string{"error PodDisruptionBudget all: maxUnavailable 0 allows no disruption; it selects Deployment web"}},
		{"a pod of its own", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}", false,
			[]string{"warning Pod a: no controller replaces the pod: kubectl drain refuses without --force, and deletes the pod with it"}},
		{"a pod that runs once", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {restartPolicy: Never}}", false, nil},
		{"a hook", "{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {helm.sh/hook: test}}, spec: {}}", false, nil},
		{"a static pod", "{apiVersion: v1, kind: Pod, metadata: {name: etcd, namespace: kube-system}, spec: {hostNetwork: true}}", false, nil},
		{"a pod of a controller", "{apiVersion: v1, kind: Pod, metadata: {name: a, ownerReferences: [{kind: ReplicaSet, name: b, controller: true}]}, spec: {}}", true, nil},
		{"a pod that ended", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}, status: {phase: Succeeded}}", true, nil},
		{"a volume on a node", "{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {local: {path: /x}}}", false,
			[]string{"warning PersistentVolume a: it is on one node, and its pods stay pending while that is upgraded"}},
		{"data of a StatefulSet", "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {template: {spec: {volumes: [{name: d, emptyDir: {}}]}}}}", false,
			[]string{"warning emptyDir of StatefulSet db: a drain deletes the data in this volume; kubectl drain refuses without --delete-emptydir-data"}},
		{"data of a Deployment", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {spec: {volumes: [{name: d, emptyDir: {}}]}}}}", false,
			[]string{"warning emptyDir of Deployment web: a drain deletes the data in this volume; kubectl drain refuses without --delete-emptydir-data"}},
		{"memory", "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {template: {spec: {volumes: [{name: d, emptyDir: {medium: Memory}}]}}}}", false, nil},
		{"hostile", "{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: {a: b}, selector: [1]}}\n---\n{apiVersion: v1, kind: Pod, metadata: 7}\n---\n" + web + pdb + "minAvailable: 99999999999999999999}}", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range facts(c.text, c.live) {
				got = append(got, f.Severity.String()+" "+f.Subject+": "+f.Text)
				if f.Category != "drain" || f.Replacement == "" || f.Reference == "" || f.Severity == rules.Error && f.Minors.Has(29) || f.Severity == rules.Warning && f.Planned != "1.30" {
					t.Errorf("%+v", f)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestBudgetFix checks that the fix for a budget depends on the reason why it allows no
// disruption. For example, more replicas do not help if maxUnavailable is 0.
func TestBudgetFix(t *testing.T) {
	for spec, want := range map[string]string{
		"maxUnavailable: 0}}":   "Set maxUnavailable to at least 1 before nodes are drained.",
		"maxUnavailable: 0%}}":  "Set maxUnavailable to at least 1 before nodes are drained.",
		"minAvailable: 100%}}":  "Replace minAvailable by maxUnavailable, at least 1, before nodes are drained.",
		"minAvailable: 2}}":     "Lower minAvailable, or add replicas, before nodes are drained.",
		"minAvailable: '51%'}}": "Lower minAvailable, or add replicas, before nodes are drained.",
	} {
		if all := facts(web+pdb+spec, false); len(all) != 1 || all[0].Replacement != want {
			t.Errorf("%s: %+v", spec, all)
		}
	}
}
