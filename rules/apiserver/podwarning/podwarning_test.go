package podwarning

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// manifest parses a YAML document and keeps the positions.
func manifest(t testing.TB, text string) *wire.Value {
	t.Helper()
	var n yaml.Node
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&n); err != nil {
		t.Fatal(err)
	}
	v, _, err := wire.YAML(&n, []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func requestFor(obj, old *wire.Value) apiserver.Request {
	return apiserver.Request{
		APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj, Old: old,
	}
}

// positions returns the positions to which warnings point, with the first words
// of their texts.
func positions(all []apiserver.Warning) []string {
	var lines []string
	for _, w := range all {
		class := "advice"
		if w.Class == apiserver.DeprecatedField {
			class = "deprecated"
		}
		place := "nowhere"
		if w.At != nil {
			place = fmt.Sprintf("%d:%d", w.At.Pos.Line, w.At.Pos.Column)
		}
		lines = append(lines, place+" "+class+" "+w.Text)
	}
	return lines
}

// TestPlaces checks the positions of warnings: a wrong value, the key of a
// forbidden field, or the parent of a missing field.
func TestPlaces(t *testing.T) {
	obj := manifest(t, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a.b
spec:
  template:
    metadata:
      annotations:
        scheduler.alpha.kubernetes.io/critical-pod: ""
        container.apparmor.security.beta.kubernetes.io/c: runtime/default
    spec:
      nodeSelector:
        beta.kubernetes.io/os: linux
      terminationGracePeriodSeconds: -5
      imagePullSecrets:
      - name: a
      - name: a
      - {}
      topologySpreadConstraints:
      - topologyKey: failure-domain.beta.kubernetes.io/zone
      volumes:
      - name: v
        gitRepo:
          repository: x
      - name: w
        configMap:
          name: m
          items:
          - {key: a, path: p}
          - {key: b, path: p/q}
      - name: x
        projected:
          sources:
          -
      containers:
      - name: c
        image: i
        resources:
          limits:
            memory: 1.5
        env:
        - {name: A, value: "1"}
        - {name: A, value: "2"}
        ports:
        - {name: web, containerPort: 80}
        - {name: web, containerPort: 80, hostIP: 10.0.0.1}
`)
	got := positions(Strategy(apiserver.Server{Minor: 37}, requestFor(obj, nil)))
	want := []string{
		`4:9 advice metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`,
		`13:9 deprecated spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead`,
		`20:22 deprecated spec.template.spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
		`20:9 advice spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod`,
		`9:9 deprecated spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead`,
		`23:9 deprecated spec.template.spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+`,
		`30:28 advice volume "w" (ConfigMap "m"): overlapping paths: "p/q" with "p"`,
		`34:12 advice volume "x" (Projected) has no sources provided`,
		`17:15 advice spec.template.spec.imagePullSecrets[1].name: duplicate name "a"`,
		`18:9 advice spec.template.spec.imagePullSecrets[2].name: invalid empty name ""`,
		`10:9 deprecated spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead`,
		`40:21 advice spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer`,
		`43:18 advice spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply`,
		`46:50 advice spec.template.spec.containers[0].ports[1]: hostIP set without hostPort: {Name:web HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}`,
		`46:11 advice spec.template.spec.containers[0].ports[1]: overlapping port definition with spec.template.spec.containers[0].ports[0]`,
		`46:18 advice spec.template.spec.containers[0].ports[1]: duplicate port name "web" with spec.template.spec.containers[0].ports[0], services and probes that select ports by name will use spec.template.spec.containers[0].ports[0]`,
		`14:38 advice spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestGates checks the warnings that depend on a feature gate.
func TestGates(t *testing.T) {
	pod := func(spec string) *wire.Value {
		return manifest(t, "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec:\n  template:\n"+
			"    metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/c: unconfined}}\n    spec: "+spec+"\n")
	}
	const container = `{containers: [{name: c, image: i}], `
	for _, c := range []struct {
		minor lifecycle.Minor
		gates map[string]bool
		spec  string
		want  []string
	}{
		{33, nil, container + `volumes: [{name: v, gitRepo: {repository: r}}]}`, []string{"deprecated in v1.11, and disabled by default in v1.33+", "appArmorProfile"}},
		{33, map[string]bool{"GitRepoVolumeDriver": true}, container + `volumes: [{name: v, gitRepo: {repository: r}}]}`, []string{"gitRepo: deprecated in v1.11", "appArmorProfile"}},
		{30, map[string]bool{"AppArmorFields": false}, container + `}`, nil},
		{30, nil, container + `}`, []string{"appArmorProfile"}},
		// The server drops the image volume, so the volume after it gets index 0.
		{33, nil, container + `volumes: [{name: i, image: {reference: r}}, {name: v, rbd: {}}]}`, []string{"volumes[0].rbd", "appArmorProfile"}},
		{33, map[string]bool{"ImageVolume": true}, container + `volumes: [{name: i, image: {reference: r}}, {name: v, rbd: {}}]}`, []string{"volumes[1].rbd", "appArmorProfile"}},
		{35, nil, container + `volumes: [{name: i, image: {reference: r}}, {name: v, rbd: {}}]}`, []string{"volumes[1].rbd", "appArmorProfile"}},
		{34, nil, container + `volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: b, path: p}}]}}]}`, []string{"has no sources provided", "appArmorProfile"}},
		{34, map[string]bool{"ClusterTrustBundleProjection": true}, container + `volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: b, path: p}}]}}]}`, []string{"appArmorProfile"}},
	} {
		got := Strategy(recorded.WithGates(c.minor, c.gates), requestFor(pod(c.spec), nil))
		if len(got) != len(c.want) {
			t.Errorf("1.%d %v %s: got %q, want %q", c.minor, c.gates, c.spec, positions(got), c.want)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i].Text, c.want[i]) {
				t.Errorf("1.%d %v %s: got %q, want %q", c.minor, c.gates, c.spec, got[i].Text, c.want[i])
			}
		}
	}
}

// TestForgottenPaths checks the bug of 1.32 and 1.33 with a projected source that
// lists no files.
func TestForgottenPaths(t *testing.T) {
	obj := manifest(t, `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers: [{name: c, image: i}]
  volumes:
  - name: v
    projected:
      sources:
      - serviceAccountToken: {path: token}
      - configMap: {name: m}
`)
	for minor, want := range map[lifecycle.Minor]int{31: 0, 32: 1, 33: 1, 34: 0} {
		if got := Strategy(apiserver.Server{Minor: minor}, requestFor(obj, nil)); len(got) != want {
			t.Errorf("1.%d: got %q, want %d", minor, positions(got), want)
		}
	}
}

// TestNoVerdict checks objects about which there is no warning.
func TestNoVerdict(t *testing.T) {
	warned := `metadata: {name: a.b}
spec:
  schedule: TZ=UTC * * * * *
  nodeSelector: {beta.kubernetes.io/os: linux}
  template: {spec: {nodeSelector: {beta.kubernetes.io/os: linux}}}
`
	for _, c := range []struct {
		minor lifecycle.Minor
		head  string
	}{
		{21, "apiVersion: apps/v1\nkind: Deployment\n"},
		{21, "apiVersion: batch/v1\nkind: CronJob\n"},
		{37, "apiVersion: extensions/v1beta1\nkind: Deployment\n"},
		{25, "apiVersion: batch/v1beta1\nkind: CronJob\n"},
		{37, "apiVersion: v1\nkind: Service\n"},
		{37, "apiVersion: example.org/v1\nkind: Deployment\n"},
	} {
		if got := Strategy(apiserver.Server{Minor: c.minor}, requestFor(manifest(t, c.head+warned), nil)); len(got) > 0 {
			t.Errorf("1.%d %s: %q", c.minor, c.head, positions(got))
		}
	}
	pod := manifest(t, "apiVersion: v1\nkind: Pod\n"+warned)
	if got := Strategy(apiserver.Server{Minor: 37}, requestFor(pod, pod)); len(got) > 0 {
		t.Errorf("the update of a Pod: %q", positions(got))
	}
	for _, r := range []apiserver.Request{{}, {APIVersion: "v1", Kind: "Pod"}, {APIVersion: "v1", Kind: "Pod", New: &wire.Value{}}} {
		if got := append(Prepare(apiserver.Server{Minor: 37}, r), Strategy(apiserver.Server{Minor: 37}, r)...); len(got) > 0 {
			t.Errorf("%+v: %q", r, positions(got))
		}
	}
}

// TestExported checks the functions that other packages use, with nil and with
// values that cause all warnings.
func TestExported(t *testing.T) {
	term := manifest(t, `matchExpressions: [{key: beta.kubernetes.io/os, operator: In, values: ["a b"]}]`)
	if got := NodeSelectorTerm(37, term, true, "p"); len(got) != 2 {
		t.Errorf("term: %q", positions(got))
	}
	if got := NodeSelectorTerm(32, term, true, "p"); len(got) != 1 {
		t.Errorf("term, 1.32: %q", positions(got))
	}
	if got := NodeSelectorTerm(37, nil, true, "p"); got != nil {
		t.Errorf("no term: %q", positions(got))
	}
	claim := manifest(t, `resources: {requests: {storage: 1500m}, limits: {storage: 0.5}}`)
	want := []string{
		`1:33 advice spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer`,
		`1:59 advice spec.resources.limits[storage]: fractional byte value "500m" is invalid, must be an integer`,
	}
	if diff := cmp.Diff(want, positions(ClaimSpec(37, claim, "spec"))); diff != "" {
		t.Error(diff)
	}
	if got := ClaimSpec(25, claim, "spec"); got != nil {
		t.Errorf("claim, 1.25: %q", positions(got))
	}
}

// TestBounds checks that large objects do not take long.
func TestBounds(t *testing.T) {
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+",", i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for name, spec := range map[string]string{
		"equal ports": `"containers":[{"ports":` + list(100_000, `{"containerPort":80}`) + `}]`,
		"other ports": `"containers":[{"ports":[` + many(100_000, `{"containerPort":80,"hostPort":%d}`) + `]}]`,
		"paths":       `"volumes":[{"name":"v","configMap":{"items":[` + many(100_000, `{"path":"p%d"}`) + `]}}]`,
		"equal paths": `"volumes":[{"name":"v","configMap":{"items":` + list(100_000, `{"path":"p"}`) + `}}]`,
		"variables":   `"containers":[{"env":[` + many(100_000, `{"name":"v%d"}`) + `]}]`,
		"secrets":     `"imagePullSecrets":` + list(100_000, `{"name":"a"}`),
		"nulls":       `"containers":` + list(100_000, `null`) + `,"volumes":` + list(100_000, `null`),
		"containers":  `"containers":` + list(20_000, `{"name":"x","ports":[{"containerPort":1,"name":"n"}],"resources":{"limits":{"memory":"1.5"}}}`),
		"quantity":    `"containers":[{"resources":{"limits":{"memory":"` + strings.Repeat("9", 1_000_000) + `.5"}}}]`,
	} {
		obj, err := wire.JSON([]byte(`{"apiVersion":"apps/v1","kind":"DaemonSet","spec":{"template":{"metadata":{"annotations":{` +
			many(10_000, `"a%d":""`) + `}},"spec":{` + spec + `}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		got := Strategy(apiserver.Server{Minor: 37}, requestFor(obj, nil))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		t.Logf("%s: %v, %d warnings", name, time.Since(start), len(got))
		if len(got) > maxWarnings {
			t.Errorf("%s: %d warnings", name, len(got))
		}
	}
}

// FuzzStrategy checks that no object causes a panic, whatever the types of its
// values.
func FuzzStrategy(f *testing.F) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for _, kind := range generatedKinds {
		obj := g.object(kind)
		text, err := json.Marshal(obj)
		if err != nil {
			f.Fatal(err)
		}
		stored, err := json.Marshal(g.changedObject(obj))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), string(stored), byte(g.IntN(22)))
	}
	f.Fuzz(func(t *testing.T, text, stored string, minor byte) {
		obj, err := wire.JSON([]byte(text))
		if err != nil {
			return
		}
		old, err := wire.JSON([]byte(stored))
		if err != nil {
			old = nil
		}
		s := apiserver.Server{Minor: 16 + lifecycle.Minor(minor%22)}
		Prepare(s, requestFor(obj, nil))
		Strategy(s, requestFor(obj, nil))
		Strategy(s, requestFor(obj, old))
	})
}
