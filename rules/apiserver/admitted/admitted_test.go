package admitted

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func request(t testing.TB, body string) apiserver.Request {
	t.Helper()
	v, err := wire.JSON([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
}

func decoded(t testing.TB, s apiserver.Server, body string) runtime.Object {
	t.Helper()
	obj, _, err := Decoded(s, request(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

// A server drops unknown fields when it decodes an object. It drops fields with a
// disabled gate later, when it prepares the object.
func TestFieldsOfReleases(t *testing.T) {
	const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"hostUsers":false,"hostnameOverride":"h",
"containers":[{"name":"c","image":"i","lifecycle":{"stopSignal":"SIGTERM"}}]}}`
	for _, tt := range []struct {
		minor                            lifecycle.Minor
		before, after, signal, overrides bool
	}{{28, true, false, true, false}, {33, true, true, false, false}, {37, true, true, false, true}} {
		s := apiserver.Server{Minor: tt.minor}
		pod := decoded(t, s, body).(*corev1.Pod)
		if got := pod.Spec.HostUsers != nil; got != tt.before {
			t.Errorf("%v: hostUsers after decoding: %v", tt.minor, got)
		}
		Prepared(s, pod, nil)
		if got := pod.Spec.HostUsers != nil; got != tt.after {
			t.Errorf("%v: hostUsers after preparing: %v", tt.minor, got)
		}
		if got := pod.Spec.Containers[0].Lifecycle != nil; got != tt.signal {
			t.Errorf("%v: stopSignal: %v", tt.minor, got)
		}
		if got := pod.Spec.HostnameOverride != nil; got != tt.overrides {
			t.Errorf("%v: hostnameOverride: %v", tt.minor, got)
		}
	}
}

// An update keeps a field with a disabled gate if the stored object has it.
func TestGatedFieldInUse(t *testing.T) {
	s := apiserver.Server{Minor: 33, Gate: func(string) bool { return false }}
	const with = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"hostUsers":false,"containers":[{"name":"c","image":"i"}]}}`
	without := strings.Replace(with, `"hostUsers":false,`, "", 1)
	for _, tt := range []struct {
		old  string
		want bool
	}{{with, true}, {without, false}} {
		old, pod := decoded(t, s, tt.old), decoded(t, s, with).(*corev1.Pod)
		Prepared(s, pod, old)
		if got := pod.Spec.HostUsers != nil; got != tt.want {
			t.Errorf("old %s: hostUsers is kept: %v", tt.old, got)
		}
	}
}

func TestUnknown(t *testing.T) {
	s := apiserver.Server{Minor: 37}
	for _, tt := range []struct{ name, body, want string }{
		{"pod", `{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"p-"},"spec":{"priorityClassName":"mine","containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v","mountPath":"/v"}]}],"volumes":[{"name":"v"}]}}`,
			"metadata.managedFields spec.containers[0].volumeMounts[1].name spec.volumes[1].name spec.priority spec.preemptionPolicy metadata.creationTimestamp metadata.uid metadata.name"},
		{"account", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"serviceAccountName":"mine","runtimeClassName":"r","containers":[{"name":"c","image":"i"}]}}`,
			"metadata.managedFields spec.containers[0].volumeMounts[0] spec.volumes[0] spec.imagePullSecrets spec.overhead spec.nodeSelector spec.tolerations metadata.creationTimestamp metadata.uid"},
		{"service", `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":30000},{"name":"b","port":81}]}}`,
			"metadata.managedFields metadata.creationTimestamp metadata.uid spec.ports[1].nodePort spec.ipFamilies spec.clusterIP spec.clusterIPs"},
		{"headless", `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"clusterIP":"None","ipFamilies":["IPv4"],"selector":{"a":"b"}}}`,
			"metadata.managedFields metadata.creationTimestamp metadata.uid"},
		{"claim", `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"p"}}`,
			"metadata.managedFields spec.storageClassName metadata.creationTimestamp metadata.uid"},
		{"job", `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j","labels":{"a":"b"}},"spec":{"template":{"spec":{"containers":[]}}}}`,
			`metadata.managedFields metadata.creationTimestamp metadata.uid spec.template.metadata.labels["controller-uid"] spec.template.metadata.labels["batch.kubernetes.io/controller-uid"] spec.selector.matchLabels["batch.kubernetes.io/controller-uid"]`},
	} {
		obj := decoded(t, s, tt.body)
		unknown := append(Plugins(s, nil, obj, nil), Prepared(s, obj, nil)...)
		if got := strings.Join(unknown, " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// The server runs plugins again after a mutation. The second run must change
// nothing.
func TestPluginsAgain(t *testing.T) {
	s := apiserver.Server{Minor: 37}
	pod := decoded(t, s, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`).(*corev1.Pod)
	Plugins(s, nil, pod, nil)
	first := pod.DeepCopy()
	if Plugins(s, nil, pod, nil); !equality.Semantic.DeepEqual(first, pod) {
		t.Errorf("the second time makes %v", pod)
	}
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "d"})
	if unknown := Plugins(s, nil, pod, nil); !slices.Contains(unknown, "spec.containers[1].volumeMounts[0].name") {
		t.Errorf("unknown fields are %v", unknown)
	}
}

func TestStored(t *testing.T) {
	s := apiserver.Server{Minor: 37}
	const body = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"clusterIP":"10.0.0.9","ports":[{"port":80}]}}`
	old, obj := decoded(t, s, body).(*corev1.Service), decoded(t, s, strings.Replace(body, `"clusterIP":"10.0.0.9",`, "", 1)).(*corev1.Service)
	if unknown := Stored(s, nil, old); !slices.Contains(unknown, "metadata.uid") || slices.Contains(unknown, "spec.clusterIP") {
		t.Errorf("unknown fields of the old object are %v", unknown)
	}
	unknown := Prepared(s, obj, old)
	if obj.Spec.ClusterIP != "10.0.0.9" || !slices.Contains(unknown, "metadata.uid") || !slices.Contains(unknown, "metadata.resourceVersion") {
		t.Errorf("clusterIP is %q, unknown fields are %v", obj.Spec.ClusterIP, unknown)
	}
	if again := Stored(s, nil, old); again != nil {
		t.Errorf("a stored object has unknown fields: %v", again)
	}
}

func TestSteps(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "metadata.uid": "metadata uid", "spec.ports[0].nodePort": "spec ports 0 nodePort",
		`metadata.labels["a.b/c"]`: "metadata labels a.b/c", "spec.devices[*].taints[*].timeAdded": "spec devices * taints * timeAdded",
		`a["]`: `a ]`, "a[": "a ", "[": "",
	} {
		if got := strings.Join(Steps(path), " "); got != want {
			t.Errorf("%q has the steps %q, want %q", path, got, want)
		}
	}
}

func TestCustomResource(t *testing.T) {
	s := apiserver.Server{Minor: 37}
	obj := decoded(t, s, `{"apiVersion":"example.com/v1","kind":"W","metadata":{"name":"w"},"spec":{"a":1,"b":1.5,"c":null}}`).(*unstructured.Unstructured)
	want := map[string]any{"a": int64(1), "b": 1.5, "c": nil}
	if !reflect.DeepEqual(obj.Object["spec"], want) {
		t.Errorf("spec is %#v", obj.Object["spec"])
	}
	Plugins(s, nil, obj, nil)
	if Prepared(s, obj, nil); obj.GetGeneration() != 1 || obj.GetUID() == "" {
		t.Errorf("metadata is %v", obj.Object["metadata"])
	}
}

// Decoded returns an error for a quantity that takes too long to parse, and for a
// type that k8s.io/api no longer has.
func TestUndecodable(t *testing.T) {
	for _, body := range []string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"9e-999999999"}}}]}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"p"}}`,
	} {
		if obj, _, err := Decoded(apiserver.Server{Minor: 30}, request(t, body)); err == nil {
			t.Errorf("%s decodes into %T", body, obj)
		}
	}
	if _, _, err := Decoded(apiserver.Server{Minor: 30}, apiserver.Request{APIVersion: "v1", Kind: "Pod"}); err != nil && errors.Unwrap(err) != nil {
		t.Error(err)
	}
}

// Merging the tolerations of a pod and its runtime class must not take quadratic
// time.
func TestManyTolerations(t *testing.T) {
	s := apiserver.Server{Minor: 37}
	class, err := wire.JSON([]byte(`{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"r"},"handler":"h","scheduling":{"tolerations":[{"key":"a"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{RuntimeClassName: new("r"), Tolerations: make([]corev1.Toleration, 50_000)}}
	for i := range pod.Spec.Tolerations {
		pod.Spec.Tolerations[i].Key = strings.Repeat("a", i%100+1)
	}
	if unknown := Plugins(s, NewAround(s, []*wire.Value{class}), pod, nil); !slices.Contains(unknown, "spec.tolerations") {
		t.Errorf("unknown fields are %v", unknown)
	}
}

// TestKindsExist checks that the walkers can visit every type of the scheme. It
// also checks that every kind in the table of strategies is the name of a type of
// the scheme.
func TestKindsExist(t *testing.T) {
	names := map[string]bool{}
	for _, typ := range types().AllKnownTypes() {
		names[typeName(typ)] = true
		defaulter().walk(apiserver.Server{Minor: 37}, reflect.New(typ).Interface())
		dropDisabled(apiserver.Server{Minor: 26}, reflect.New(typ).Interface(), nil)
	}
	for name := range strategies {
		if !names[name] {
			t.Errorf("no type is called %s", name)
		}
	}
}

// Every field that the tables name exists in a type that objects contain.
func TestTypeFields(t *testing.T) {
	fields := map[typeField]bool{}
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(typ.Elem())
		case reflect.Struct:
			for i := range typ.NumField() {
				fields[typeField{typeName(typ), typ.Field(i).Name}] = true
				visit(typ.Field(i).Type)
			}
		}
	}
	for _, typ := range types().AllKnownTypes() {
		visit(typ)
	}
	for field := range fixedDefaults() {
		if !fields[field] {
			t.Errorf("no type has the field %v", field)
		}
	}
	for field := range gateOfField() {
		if !fields[field] {
			t.Errorf("no type has the field %v", field)
		}
	}
}

const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","labels":{"app":"web"}},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"serviceAccountName":"web","containers":[{"name":"web","image":"example.com/web:1.2","ports":[{"containerPort":8080,"name":"http"}],
"resources":{"requests":{"cpu":"100m","memory":"64Mi"},"limits":{"memory":"128Mi"}},"readinessProbe":{"httpGet":{"path":"/ready","port":"http"}},
"env":[{"name":"A","value":"b"},{"name":"NODE","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}],"volumeMounts":[{"name":"config","mountPath":"/etc/web"}]}],
"volumes":[{"name":"config","configMap":{"name":"web"}}]}}}}`

func BenchmarkDecoded(b *testing.B) {
	s, r := apiserver.Server{Minor: 37}, request(b, deployment)
	for b.Loop() {
		if _, _, err := Decoded(s, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAdmitted(b *testing.B) {
	s, r := apiserver.Server{Minor: 37}, request(b, deployment)
	for b.Loop() {
		obj, _, err := Decoded(s, r)
		if err != nil {
			b.Fatal(err)
		}
		Plugins(s, nil, obj, nil)
		Prepared(s, obj, nil)
		if _, err := Fields(s, obj); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzAdmitted looks for panics. It checks that setting defaults twice equals
// setting them once. If the object has only fields of the newest release, it also
// checks that decoding agrees with encoding/json.
func FuzzAdmitted(f *testing.F) {
	f.Add([]byte(deployment))
	for _, c := range lines[recorded.Case](f, "testdata/oracle/cases.jsonl.gz") {
		f.Add([]byte(c.Obj))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := wire.JSON(body)
		if err != nil {
			return
		}
		r := apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
		for _, m := range []lifecycle.Minor{26, 30, 37} {
			s := apiserver.Server{Minor: m}
			if !schema.Known(r.APIVersion, r.Kind, m) || len(schema.Decode(s, r).Causes) > 0 {
				continue
			}
			obj, _, err := Decoded(s, r)
			if err != nil {
				continue
			}
			again := obj.DeepCopyObject()
			if Default(s, again); !equality.Semantic.DeepEqual(obj, again) {
				t.Errorf("%v: defaults are not stable", m)
			}
			old := obj.DeepCopyObject()
			Plugins(s, nil, obj, nil)
			Prepared(s, obj, nil)
			Prepared(s, old.DeepCopyObject(), old)
			Plugins(s, nil, old, obj)
			if _, err := Fields(s, obj); err != nil {
				t.Error(err)
			}
			if m == 37 && len(schema.Decode(s, r).Warnings) == 0 {
				compareJSON(t, r, body)
			}
		}
	})
}

func compareJSON(t *testing.T, r apiserver.Request, body []byte) {
	t.Helper()
	kind := unstructured.Unstructured{Object: map[string]any{"apiVersion": r.APIVersion, "kind": r.Kind}}
	theirs, err := types().New(kind.GroupVersionKind())
	if err != nil || json.Unmarshal(body, theirs) != nil {
		return
	}
	theirs.GetObjectKind().SetGroupVersionKind(kind.GroupVersionKind())
	Default(apiserver.Server{Minor: 37}, theirs)
	ours, _, err := Decoded(apiserver.Server{Minor: 37}, r)
	if err != nil {
		t.Fatal(err)
	}
	if !equality.Semantic.DeepEqual(theirs, ours) {
		a, _ := json.Marshal(theirs)
		b, _ := json.Marshal(ours)
		t.Errorf("encoding/json: %s\nInto: %s", a, b)
	}
}
