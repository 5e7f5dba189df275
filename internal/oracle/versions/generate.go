package versions

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// words are values for generated fields. Many of them matter for defaults and
// conversions.
var words = []string{"", "a", "b", "http", "80", "RollingUpdate", "OnDelete", "Recreate", "Parallel", "Ignore", "Fail",
	"Exact", "None", "NoneOnDryRun", "Webhook", "Namespaced", "v1", "v1beta1", "ServiceAccount", "User", "Group", "*",
	"kubernetes.io/hostname", "topology.kubernetes.io/zone", "IPv4", "Limited", "Exempt", "Queue", "Resource", "Pods",
	"Object", "External", "object", "string", "DoesNotExist", "Exists", "rbac.authorization.k8s.io/v1alpha1",
	"autoscaling.alpha.kubernetes.io/behavior", "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares",
	"pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", "deprecated.daemonset.template.generation",
	"deprecated.deployment.rollback.to"}

// Generate generates an object of a kind. The same seed always results in the same
// object. Fields have the right types. Many fields have a value that matters for defaults
// or conversions, and some values are invalid.
func (s *Scheme) Generate(apiVersion, kind string, seed uint64) ([]byte, error) {
	made, err := s.scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil {
		return nil, err
	}
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	g.fill(reflect.ValueOf(made).Elem(), deepest)
	data, err := json.Marshal(made)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	delete(object, "status")
	g.omitFields(object)
	object["apiVersion"], object["kind"] = apiVersion, kind
	return json.Marshal(object)
}

// Break replaces a few values of an object. The new values may be of the wrong
// type. The same seed returns the same object.
func Break(object []byte, seed uint64) ([]byte, error) {
	var v map[string]any
	if err := json.Unmarshal(object, &v); err != nil {
		return nil, err
	}
	g := generator{rand.New(rand.NewPCG(seed, 2))}
	for range 1 + g.IntN(3) {
		g.breakOne(v, 0)
	}
	return json.Marshal(v)
}

func (g generator) breakOne(v any, depth int) {
	other := func() any {
		return []any{nil, nil, nil, "", 0, true, []any{}, map[string]any{}, []any{nil}, "80", map[string]any{"a": nil}}[g.IntN(11)]
	}
	switch v := v.(type) {
	case map[string]any:
		names := sorted(v)
		if len(names) == 0 {
			return
		}
		name := names[g.IntN(len(names))]
		switch deeper := v[name].(type) {
		case map[string]any, []any:
			if depth == 0 || g.IntN(5) > 0 {
				g.breakOne(deeper, depth+1)
				return
			}
		}
		if name != "apiVersion" && name != "kind" || depth > 0 {
			v[name] = other()
		}
	case []any:
		if len(v) == 0 {
			return
		}
		i := g.IntN(len(v))
		switch deeper := v[i].(type) {
		case map[string]any, []any:
			if g.IntN(5) > 0 {
				g.breakOne(deeper, depth+1)
				return
			}
		}
		v[i] = other()
	}
}

// deepest is the largest depth of fields that are filled.
const deepest = 9

type generator struct{ *rand.Rand }

func (g generator) word() string { return words[g.IntN(len(words))] }

func (g generator) key() string { return words[1+g.IntN(len(words)-1)] }

// own fills a value whose type has its own encoding.
func (g generator) own(v reflect.Value) bool {
	var made any
	moment := time.Unix(1600000000, 0)
	switch v.Interface().(type) {
	case resource.Quantity:
		made = resource.MustParse([]string{"0", "1", "100m", "1Gi"}[g.IntN(4)])
	case intstr.IntOrString:
		if made = intstr.FromInt32(g.Int32N(3)); g.IntN(2) == 0 {
			made = intstr.FromString([]string{"25%", "http", "", "80"}[g.IntN(4)])
		}
	case metav1.Time:
		made = metav1.NewTime(moment)
	case metav1.MicroTime:
		made = metav1.NewMicroTime(moment)
	case runtime.RawExtension:
		made = runtime.RawExtension{Raw: []byte(`{"a":1}`)}
	case metav1.ObjectMeta:
		made = metav1.ObjectMeta{Name: "x", Labels: g.labels(), Annotations: g.labels()}
	case metav1.TypeMeta, metav1.Duration, metav1.FieldsV1, metav1.ManagedFieldsEntry, metav1.OwnerReference:
		return true
	default:
		if raw := v; v.Kind() == reflect.Struct && v.Type().Name() == "JSON" {
			raw.FieldByName("Raw").SetBytes([]byte(`{"a":1}`))
			return true
		}
		return false
	}
	v.Set(reflect.ValueOf(made))
	return true
}

func (g generator) labels() map[string]string {
	n := g.IntN(4) - 1
	if n < 0 {
		return nil
	}
	made := map[string]string{}
	for range n {
		made[g.key()] = "1"
	}
	return made
}

func (g generator) fill(v reflect.Value, depth int) {
	if g.own(v) {
		return
	}
	n := g.IntN(4) - 1
	switch v.Kind() {
	case reflect.Pointer:
		if depth > 0 && g.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		switch {
		case n < 0 || depth <= 0:
		case v.Type().Elem().Kind() == reflect.Uint8:
			v.SetBytes([]byte("abc"))
		default:
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				g.fill(v.Index(i), depth-1)
			}
		}
	case reflect.Map:
		if n < 0 || depth <= 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString(g.key())
			g.fill(value, depth-1)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && (depth == deepest || g.IntN(3) > 0) {
				g.fill(v.Field(i), depth-1)
			}
		}
	case reflect.String:
		v.SetString(g.word())
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(g.Int64N(3))
	}
}

// omitFields removes some of the nulls and zeroes that Go writes and people omit, and
// fields that do not belong in a manifest.
func (g generator) omitFields(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sorted(v) {
			switch e := v[k]; {
			case k == "creationTimestamp" || k == "status":
				delete(v, k)
			case e == nil && g.IntN(3) > 0, (e == "" || e == 0.0) && g.IntN(2) > 0:
				delete(v, k)
			default:
				g.omitFields(e)
			}
		}
	case []any:
		for _, e := range v {
			g.omitFields(e)
		}
	}
}

func sorted(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
