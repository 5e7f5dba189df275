package conversion_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func parse(t *testing.T, text string) *wire.Value {
	t.Helper()
	node, err := yaml.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	v, _, err := wire.YAML(node.YNode(), []byte(text), 1)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

func targetOf(t testing.TB, versions string) lifecycle.Target {
	t.Helper()
	var gates []string
	if versions == "1.37" {
		gates = []string{"GenericWorkload=true"}
	}
	target, err := lifecycle.NewTarget(versions, gates, []string{"api/all=true"})
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestCases reads testdata/cases. Each file has an object, a line with the target
// and the plan's safety, texts that the notes must contain, and the converted
// object.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in, rest, ok := strings.Cut(string(data), "\n--- # ")
			head, out, _ := strings.Cut(rest, "\n")
			words := strings.Fields(head)
			if !ok || len(words) < 2 {
				t.Fatal(`no line "--- # TARGET SAFETY"`)
			}
			object, target := parse(t, in), targetOf(t, words[0])
			plan, found := conversion.Of(object, target)
			if len(words) > 2 {
				plan, found = conversion.Plan{}, false
				for _, f := range conversion.InPlace(object, target) {
					if f.Field == words[2] {
						plan, found = f.Plan, true
					}
				}
			}
			got := "none"
			if found {
				got = plan.Safety.String()
			}
			if got != words[1] {
				t.Errorf("the plan is %s, not %s: %q", got, words[1], plan.Notes)
			}
			notes := strings.Join(plan.Notes, "\n")
			var want []string
			for line := range strings.Lines(out) {
				if text, ok := strings.CutPrefix(line, "# "); ok {
					want = append(want, text)
					if !strings.Contains(notes, strings.TrimSpace(text)) {
						t.Errorf("no note says %q: %q", strings.TrimSpace(text), plan.Notes)
					}
				}
			}
			if got != "none" && got != "safe" && len(want) == 0 {
				t.Errorf("the case says nothing of the notes: %q", plan.Notes)
			}
			if len(plan.Steps) == 0 {
				if got != "none" && got != "manual" {
					t.Error("there are no steps")
				}
				return
			}
			applied, err := conversion.Apply(object, plan.Steps)
			if err != nil {
				t.Fatal(err)
			}
			if expected := parse(t, out); !conversion.Equal(applied, expected) {
				t.Errorf("steps %v make\n%s", plan.Steps, show(applied, ""))
			}
			if again, ok := conversion.Of(applied, target); ok && again.Safety != conversion.Manual && len(words) == 2 {
				t.Error("it is to be converted again")
			}
			for _, f := range conversion.InPlace(applied, target) {
				if len(words) > 2 && f.Field == words[2] {
					t.Error("the field is to be replaced again")
				}
			}
		})
	}
}

// show returns a value as YAML. The values below its first levels are in flow
// style.
func show(v *wire.Value, indent string) string {
	var b strings.Builder
	switch v.Kind {
	case wire.Map:
		for _, f := range v.Fields {
			b.WriteString(indent + f.Name + ":")
			if (f.Value.Kind == wire.Map && len(f.Value.Fields) > 0) || (f.Value.Kind == wire.List && len(f.Value.Items) > 0) {
				b.WriteString("\n" + show(f.Value, indent+"  "))
			} else {
				b.WriteString(" " + show(f.Value, "") + "\n")
			}
		}
		if len(v.Fields) == 0 {
			return "{}"
		}
	case wire.List:
		for _, item := range v.Items {
			text := show(item, indent+"  ")
			b.WriteString(indent + "- " + strings.TrimPrefix(strings.TrimSuffix(text, "\n"), indent+"  ") + "\n")
		}
		if len(v.Items) == 0 {
			return "[]"
		}
	case wire.Null:
		return "null"
	case wire.String:
		return `"` + v.Text + `"`
	default:
		return v.Text
	}
	return b.String()
}
