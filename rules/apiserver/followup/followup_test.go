package followup

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// askServer returns a function that asks a server of a minor. The server's
// cluster is unknown.
func askServer(m lifecycle.Minor) func(apiserver.Request) apiserver.Answer {
	return func(r apiserver.Request) apiserver.Answer {
		return answer.To(apiserver.Server{Minor: m}, r, answer.Surroundings{})
	}
}

// hidden returns the hidden messages of an answer, warnings first.
func hidden(a apiserver.Answer) []string {
	a.Causes = slices.DeleteFunc(slices.Clone(a.Causes), func(c apiserver.Cause) bool { return !c.Hidden })
	a.Warnings = slices.DeleteFunc(slices.Clone(a.Warnings), func(w apiserver.Warning) bool { return !w.Hidden })
	return messages(a)
}

func messages(a apiserver.Answer) (all []string) {
	for _, w := range a.Warnings {
		all = append(all, "warning: "+w.Text)
	}
	for _, c := range a.Causes {
		all = append(all, strings.TrimPrefix(c.Field+": "+c.Text, ": "))
	}
	return all
}

// eachRequest calls f for recorded and random requests whose objects decode.
func eachRequest(t *testing.T, f func(name string, r apiserver.Request, ask func(apiserver.Request) apiserver.Answer, random *rand.Rand)) {
	for _, file := range []string{
		"answer/testdata/cases", "validation/testdata/recorded", "validation/testdata/generated",
		"kindwarning/testdata/cases", "podwarning/testdata/cases", "podwarning/testdata/generated", "webhook/testdata/cases",
	} {
		random := rand.New(rand.NewPCG(1, 2))
		for _, c := range recorded.Lines[recorded.Case](t, "../"+file+".jsonl.gz") {
			r, ok := c.Request()
			if !ok {
				continue
			}
			r.Body, r.Duplicates = nil, nil
			ask := askServer([]lifecycle.Minor{24, 30, 37}[random.IntN(3)])
			if a := ask(r); len(a.Causes) == 0 || a.Causes[0].Code != 400 {
				f(file+" "+c.ID, r, ask, random)
			}
		}
	}
}

var wrongValues = []wire.Value{
	{Kind: wire.String, Text: "wrong"}, {Kind: wire.String, Text: "7"}, {Kind: wire.Number, Text: "7"}, {Kind: wire.Number, Text: "-0.5"},
	{Kind: wire.Bool, Text: "true"}, {Kind: wire.Map}, {Kind: wire.List},
	{Kind: wire.Map, Fields: []wire.Field{{Name: "cpu", Value: &wire.Value{Kind: wire.String, Text: "x"}}}},
	{Kind: wire.List, Items: []*wire.Value{{Kind: wire.String, Text: "x"}}},
}

// TestWrongValues replaces values by values of other types. Each hidden message
// must also be in the answer to the original object: the original value is one
// fix of the wrong value.
//
// KUBEVET_WRONG_VALUES is the number of replacements in each object.
func TestWrongValues(t *testing.T) {
	replacements := 2
	if n, err := strconv.Atoi(os.Getenv("KUBEVET_WRONG_VALUES")); err == nil {
		replacements = n
	}
	undecoded, possible, found := 0, 0, 0
	eachRequest(t, func(name string, r apiserver.Request, ask func(apiserver.Request) apiserver.Answer, random *rand.Rand) {
		whole := ask(r)
		all, places := messages(whole), values(r.New)
		for range replacements {
			p := places[random.IntN(len(places))]
			if refuses(whole, p, r.New) {
				continue // the original value also causes an error
			}
			saved := *p
			*p = wrongValues[random.IntN(len(wrongValues))]
			p.Pos.Line = 1
			wrong := *p
			got := Answer(r, ask)
			*p = saved
			if len(got.Causes) == 0 || got.Causes[0].At != p {
				continue // the wrong value, or a part of the wrong value, decodes
			}
			undecoded++
			possible += len(all)
			for _, m := range hidden(got) {
				switch {
				case slices.Contains(all, m):
					found++
				case len(whole.Causes) == 0 || !strings.HasPrefix(m, "warning: "):
					t.Errorf("%s: %v for %v %q: %s\nhides %s", name, wrong, saved.Kind, saved.Text, got.Causes[0].Text, m)
				}
			}
		}
	})
	t.Logf("%d wrong values; %d of %d messages are found", undecoded, found, possible)
	if undecoded < 1000 || found*4 < possible {
		t.Errorf("%d wrong values; only %d of %d messages are found", undecoded, found, possible)
	}
}

// refuses reports whether an answer has an error about v.
func refuses(a apiserver.Answer, v, root *wire.Value) bool {
	_, places := repair(root, []apiserver.Cause{{At: v, Fits: []*wire.Value{v}}}, 0)
	return slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool {
		return slices.ContainsFunc(places, func(p place) bool { return isBelow(splitPath(c.Field), splitPath(strings.Join(p.path, "."))) })
	})
}

// TestSeveralWrongValues replaces several values of accepted objects. The first
// error is about one of them. The hidden errors must be exactly the errors about
// the other values.
func TestSeveralWrongValues(t *testing.T) {
	counts := map[int]int{}
	eachRequest(t, func(name string, r apiserver.Request, ask func(apiserver.Request) apiserver.Answer, random *rand.Rand) {
		if a := ask(r); len(messages(a)) > 0 {
			return
		}
		var scalars []*wire.Value
		for _, v := range values(r.New) {
			if v.Kind == wire.Map || v.Kind == wire.List {
				continue
			}
			saved := *v
			*v = wire.Value{Kind: wire.List}
			if a := ask(r); len(a.Causes) > 0 && a.Causes[0].At == v && a.Causes[0].Code == 400 { // the field does not accept a list
				scalars = append(scalars, v)
			}
			*v = saved
		}
		random.Shuffle(len(scalars), func(i, j int) { scalars[i], scalars[j] = scalars[j], scalars[i] })
		saved := map[*wire.Value]wire.Value{}
		for i, v := range scalars[:min(len(scalars), 1+random.IntN(5))] {
			saved[v] = *v
			*v = wire.Value{Kind: wire.List, Pos: wire.Pos{Line: i + 1, Column: 1}}
		}
		if len(saved) == 0 {
			return
		}
		got := Answer(r, ask)
		if want := len(saved); len(got.Causes) != want || len(hidden(got)) != want-1 {
			t.Errorf("%s: %d wrong values, got %q", name, want, messages(got))
		}
		for v, s := range saved {
			*v = s
		}
		counts[len(saved)]++
	})
	for k := 1; k <= 5; k++ {
		if counts[k] < 10 {
			t.Errorf("%d objects with %d wrong values", counts[k], k)
		}
	}
}

func values(v *wire.Value) (all []*wire.Value) {
	for i := range v.Fields {
		all = append(append(all, v.Fields[i].Value), values(v.Fields[i].Value)...)
	}
	for _, item := range v.Items {
		all = append(append(all, item), values(item)...)
	}
	return all
}

func TestAnswer(t *testing.T) {
	const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
`
	tests := []struct {
		name, object string
		want         []string
	}{
		{"a string for a number", deployment + `
  replicas: "3"
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: a, imagePullPolicy: always, ports: [{containerPort: 80000}], livenessProb: {}}`,
			[]string{
				`warning: unknown field "spec.template.spec.containers[0].livenessProb"`,
				`spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 80000: must be between 1 and 65535, inclusive`,
				`spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "always": supported values: "Always", "IfNotPresent", "Never"`,
			}},
		{"the containers are unknown", deployment + `
  template:
    metadata: {labels: {app: web}}
    spec: {containers: web, restartPolicy: Sometimes}`,
			[]string{
				`spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`,
				`spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"`,
			}},
		{"the labels are unknown", deployment + `
  template:
    metadata: {labels: web}
    spec: {containers: [{name: web, image: a}]}`, nil},
		{"the volumes are unknown", deployment + `
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: data
      containers: [{name: web, image: a, volumeMounts: [{name: data, mountPath: /data}]}]`, nil},
		{"the type of the volume is unknown", deployment + `
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: [{name: data, emptyDir: true}]
      containers: [{name: web, image: a}]`, nil},
		{"a quantity, a time and a number or string", `
apiVersion: v1
kind: Pod
metadata: {name: web, creationTimestamp: today, labels: {a: 1}}
spec:
  containers:
  - {name: web, image: a, resources: {limits: {cpu: one}}, livenessProbe: {httpGet: {port: 80.5}}}`,
			[]string{
				`Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number 80.5 into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32`,
				`Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
				`Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`,
			}},
		{"a value that an alias repeats", `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: a, image: a, ports: [{containerPort: &port "80"}]}
  - {name: b, image: a, ports: [{containerPort: *port}], imagePullPolicy: always}`,
			[]string{
				`spec.containers[1].imagePullPolicy: Unsupported value: "always": supported values: "Always", "IfNotPresent", "Never"`,
			}},
		{"a value that an alias repeats with another type", `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: a, image: a, ports: [{containerPort: &port "80"}], env: [{name: PORT, value: *port}], imagePullPolicy: always}`, nil},
		{"a part of a definition", `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, scope: [], names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: "yes", storage: true}]}`,
			[]string{
				`CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal string into Go struct field CustomResourceDefinitionVersion.spec.versions.served of type bool`,
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(t, tt.object)
			got := Answer(r, askServer(37))
			if len(got.Causes) == 0 || got.Causes[0].Hidden {
				t.Fatal("nothing is wrong")
			}
			if diff := cmp.Diff(tt.want, hidden(got)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", got.Causes[0].Text, diff)
			}
		})
	}
}

// TestUpdate checks that an error about a change of the stored object is not
// reported if only the repair makes this change.
func TestUpdate(t *testing.T) {
	r := request(t, `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, labels: {a: -}}
immutable: "true"
data: {a: c}`)
	r.Old = request(t, `
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
immutable: true
data: {a: b}`).New
	want := []string{`metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
		`and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`}
	if diff := cmp.Diff(want, hidden(Answer(r, askServer(37)))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestManyWrongValues(t *testing.T) {
	for _, tt := range []struct{ values, repairs int }{{1000, maxRepairs}, {99_990, 4}, {maxVisited, 0}} {
		r := request(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {}")
		data := r.New.Get("data")
		for i := range tt.values {
			data.Fields = append(data.Fields, wire.Field{Name: "k" + strconv.Itoa(i), Value: &wire.Value{Kind: wire.Number, Text: "1", Pos: wire.Pos{Line: i + 1}}})
		}
		asked := 0
		got := Answer(r, func(r apiserver.Request) apiserver.Answer { asked++; return askServer(37)(r) })
		if len(got.Causes) != tt.repairs+1 || asked != tt.repairs+1 {
			t.Errorf("%d wrong values: %d errors after %d requests", tt.values, len(got.Causes), asked)
		}
	}
}

func request(t *testing.T, text string) apiserver.Request {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	v, _, err := wire.YAML(doc.Content[0], []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
}
