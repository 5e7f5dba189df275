package admitted

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type returnedObject struct {
	ID     string          `json:"id"`
	Server string          `json:"server"`
	Code   int             `json:"code"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
}

func lines[T any](t testing.TB, name string) map[string]T {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := out.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		data = out.Bytes()
	}
	all := map[string]T{}
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		var id struct{ ID string }
		var one T
		if err := json.Unmarshal(scan.Bytes(), &id); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(scan.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all[id.ID] = one
	}
	return all
}

// TestReturned compares the objects of this package with the objects that
// released servers returned for dry runs.
func TestReturned(t *testing.T) {
	dir := "testdata/oracle/"
	if other := os.Getenv("KUBEVET_ADMITTED"); other != "" {
		dir = other + "/"
	}
	cases := lines[recorded.Case](t, dir+"cases.jsonl.gz")
	// context has the stored objects of all cases, by file. All of them exist for
	// each case of their file.
	context := map[string][]*wire.Value{}
	for _, c := range cases {
		if r, ok := c.Request(); ok && c.Query != nil {
			context[c.File] = append(context[c.File], r.New)
		}
	}
	for _, name := range []string{"1.30", "1.33", "1.33-gates", "1.37", "1.37-gates"} {
		if _, err := os.Stat(dir + name + ".jsonl.gz"); err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			minor, _, gated := strings.Cut(name, "-")
			m, err := lifecycle.ParseMinor(minor)
			if err != nil {
				t.Fatal(err)
			}
			s := apiserver.Server{Minor: m}
			if gated {
				s = recorded.WithGates(m, gatesOf(t, dir+name+".txt"))
			}
			equal, all := 0, 0
			for id, a := range lines[returnedObject](t, dir+name+".jsonl.gz") {
				if a.Code >= 300 {
					continue
				}
				r, ok := cases[id].Request()
				if !ok || !schema.Known(r.APIVersion, r.Kind, m) || replaced.Match(cases[id].Obj) {
					continue // values that the recorder replaces are not known
				}
				all++
				var around *Around
				if c := cases[id]; c.Query == nil {
					around = NewAround(s, context[c.File])
				}
				if diff := compare(t, s, around, cases[id], r, a); diff != "" {
					t.Errorf("%s %s (-server +ours):\n%s", id, r.Kind, diff)
					continue
				}
				equal++
			}
			t.Logf("%d of %d are equal", equal, all)
		})
	}
}

func gatesOf(t *testing.T, name string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	gates := map[string]bool{}
	for _, part := range strings.Split(strings.TrimSpace(string(text)), ",") {
		gate, value, _ := strings.Cut(part, "=")
		gates[gate] = value == "true"
	}
	return gates
}

func compare(t *testing.T, s apiserver.Server, around *Around, c recorded.Case, r apiserver.Request, a returnedObject) string {
	var stored runtime.Object
	var unknown []string
	if r.Old != nil {
		first := r
		first.New, first.Old = r.Old, nil
		if stored, unknown = admit(t, s, around, first, nil, a.Path); stored == nil {
			return ""
		}
		Default(s, stored)
		if c.Op == "merge" {
			old := parse(t, generic(t, s, stored))
			patch, err := wire.JSON(c.Obj)
			if err != nil {
				t.Fatal(err)
			}
			r.New = recorded.MergePatch(old, patch)
		}
		r.Old = nil
	}
	obj, more := admit(t, s, around, r, stored, a.Path)
	if obj == nil {
		return ""
	}
	unknown = append(append(unknown, more...), "metadata.resourceVersion")
	for _, path := range unknown {
		// A stored Job without labels gets the labels of its template.
		if label, ok := strings.CutPrefix(path, "spec.template.metadata.labels"); ok && r.Kind == "Job" {
			unknown = append(unknown, "metadata.labels"+label)
		}
	}
	Default(s, obj) // the recorded object has defaults
	ours := generic(t, s, obj)
	var theirs map[string]any
	if err := json.Unmarshal(a.Body, &theirs); err != nil {
		t.Fatal(err)
	}
	for _, path := range unknown {
		remove(ours, path)
		remove(theirs, path)
	}
	return cmp.Diff(withoutEmpty(theirs), withoutEmpty(ours))
}

func parse(t *testing.T, fields map[string]any) *wire.Value {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	v, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// withoutEmpty replaces empty lists by null, because stored objects have none.
func withoutEmpty(at any) any {
	switch v := at.(type) {
	case map[string]any:
		for key := range v {
			v[key] = withoutEmpty(v[key])
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
		for i := range v {
			v[i] = withoutEmpty(v[i])
		}
	}
	return at
}

// admit does the work of a server from decoding to validating admission.
func admit(t *testing.T, s apiserver.Server, around *Around, r apiserver.Request, old runtime.Object, path string) (runtime.Object, []string) {
	t.Helper()
	obj, _, err := Decoded(s, r)
	if err != nil {
		t.Errorf("%s %s: %v", r.APIVersion, r.Kind, err)
		return nil, nil
	}
	namespace := ""
	if m := regexp.MustCompile(`/namespaces/([^/?]+)/`).FindStringSubmatch(path); m != nil {
		namespace = m[1]
	}
	setNamespace(obj, namespace)
	// If the context has no class of a kind, the recorded server has none either.
	unknown := slices.DeleteFunc(Plugins(s, around, obj, old), func(path string) bool { return strings.HasSuffix(path, "ClassName") })
	return obj, append(unknown, Prepared(s, obj, old)...)
}

func setNamespace(obj runtime.Object, namespace string) {
	if m, ok := obj.(interface{ SetNamespace(string) }); ok {
		m.SetNamespace(namespace)
	}
}

// generic returns an object as decoded JSON.
func generic(t *testing.T, s apiserver.Server, obj runtime.Object) (all map[string]any) {
	t.Helper()
	fields, err := Fields(s, obj)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// replaced matches the variables that the recorder replaces in bodies.
var replaced = regexp.MustCompile(`\$(WEBHOOK|CABUNDLE)`)

var stepPattern = regexp.MustCompile(`\["([^"]+)"\]|\[(\d+)\]|([^.\[]+)`)

func remove(at any, path string) {
	steps := stepPattern.FindAllStringSubmatch(path, -1)
	for i, step := range steps {
		last := i == len(steps)-1
		switch v := at.(type) {
		case map[string]any:
			key := step[1] + step[3]
			if last {
				delete(v, key)
				return
			}
			at = v[key]
		case []any:
			n, err := strconv.Atoi(step[2])
			if err != nil || n >= len(v) {
				return
			}
			if last {
				v[n] = nil
				return
			}
			at = v[n]
		default:
			return
		}
	}
}
