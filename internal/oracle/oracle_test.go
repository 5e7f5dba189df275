package oracle

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCases checks that all cases can be read and have an object.
func TestCases(t *testing.T) {
	cases, err := ReadCases("cases")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	for i := range cases {
		c := &cases[i]
		files[c.File]++
		if c.Op != "raw" && c.Path == "" && c.Raw == "" {
			head, err := c.Head()
			if err != nil {
				t.Error(err)
			} else if head.Kind == "" || head.APIVersion == "" {
				t.Errorf("case %s: object without apiVersion or kind", c.ID)
			}
		}
		if (c.Op == "update" || c.Op == "merge") && c.Old() == nil && len(c.Setup) > 0 {
			t.Errorf("case %s: what was there before has another identity", c.ID)
		}
	}
	t.Logf("%d cases: %v", len(cases), files)
}

func TestWrap(t *testing.T) {
	pod := map[string]any{
		"metadata": map[string]any{"name": "n", "annotations": map[string]any{"a": "b"}},
		"spec":     map[string]any{"containers": []any{}},
	}
	for _, kind := range Workloads {
		obj, err := Wrap(kind, pod)
		if err != nil {
			t.Fatal(err)
		}
		if obj["kind"] != kind || obj["metadata"].(map[string]any)["name"] != "n" {
			t.Errorf("Wrap(%s) = %v", kind, obj)
		}
	}
	if _, err := Wrap("Service", pod); err == nil {
		t.Error("a Service holds a pod")
	}
	if _, ok := pod["spec"].(map[string]any)["restartPolicy"]; ok {
		t.Error("the pod was changed")
	}
}

func TestWarningText(t *testing.T) {
	for header, want := range map[string]string{
		`299 - "plain"`:             "plain",
		`299 - "a \"b\" \\ c"`:      `a "b" \ c`,
		`299 - "unknown \\\"x\\\""`: `unknown \"x\"`,
		"nonsense":                  "nonsense",
	} {
		if got := WarningText(header); got != want {
			t.Errorf("WarningText(%s) = %s, want %s", header, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.jsonl.gz")
	none := ""
	want := []Case{{ID: "a", Obj: json.RawMessage(`{"a":"<b>"}`)}, {ID: "b", Raw: "{", Query: &none}}
	if err := WriteLines(file, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLines[Case](file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
