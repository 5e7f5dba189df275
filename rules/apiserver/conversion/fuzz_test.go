package conversion_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// FuzzOf checks the plans for random objects. It must be possible to apply a
// plan, the original object must not change, and the result must need no
// conversion.
func FuzzOf(f *testing.F) {
	files, err := filepath.Glob("testdata/cases/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		in, _, _ := strings.Cut(string(data), "\n--- # ")
		node, err := yaml.Parse(in)
		if err != nil {
			f.Fatal(err)
		}
		text, err := node.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint8(0), uint8(0))
		f.Add(string(text), uint8(3), uint8(9))
	}
	for _, old := range []string{
		`{"apiVersion":"extensions/v1beta1","kind":"Ingress","spec":{"backend":{"serviceName":null,"servicePort":null},"rules":[null,{"http":{"paths":[null,{}]}}]}}`,
		`{"apiVersion":"extensions/v1beta1","kind":"Deployment","metadata":[],"spec":{"template":{"metadata":{"labels":{"a":null}}},"strategy":[],"rollbackTo":3}}`,
		`{"apiVersion":"extensions/v1beta1","kind":"IngressList","items":[null,{},{"kind":"Ingress"},3]}`,
		`{"apiVersion":"autoscaling/v2beta1","kind":"HorizontalPodAutoscaler","spec":{"metrics":[{"object":{"target":3,"describedObject":{}}},{"pods":{"metric":1,"metricName":"a"}}]}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"versions":[null,3],"validation":{"openAPIV3Schema":[]},"conversion":{"webhook":[],"webhookClientConfig":{}}}}`,
	} {
		f.Add(old, uint8(0), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, newest, wide uint8) {
		v, err := wire.JSON([]byte(text))
		if err != nil {
			t.Skip()
		}
		all := slices.Collect(lifecycle.Range{From: lifecycle.Oldest, To: lifecycle.Newest}.All())
		to := all[len(all)-1-int(newest)%len(all)]
		from := max(lifecycle.Oldest, to-lifecycle.Minor(wide%8))
		target := targetOf(t, from.String()+".."+to.String())
		before := show(v, "")
		if plan, ok := conversion.Of(v, target); ok {
			checkPlan(t, v, plan)
			if plan.Safety != conversion.Manual {
				made, _ := conversion.Apply(v, plan.Steps)
				if again, ok := conversion.Of(made, target); ok && again.Safety != conversion.Manual {
					t.Errorf("%s is to be converted to %s again, to %s", plan.From, plan.To, again.To)
				}
			}
		}
		for _, p := range conversion.InPlace(v, target) {
			checkPlan(t, v, p.Plan)
			if p.Plan.Safety == conversion.Manual {
				continue
			}
			made, _ := conversion.Apply(v, p.Plan.Steps)
			for _, again := range conversion.InPlace(made, target) {
				if again.Field == p.Field {
					t.Errorf("%s is to be replaced again", p.Field)
				}
			}
		}
		if show(v, "") != before {
			t.Error("the object was changed")
		}
	})
}

// checkPlan checks that a plan has the properties that the comments of Plan
// promise.
func checkPlan(t *testing.T, v *wire.Value, plan conversion.Plan) {
	t.Helper()
	if plan.Safety == conversion.Manual {
		if len(plan.Steps) > 0 || plan.Message != "" || len(plan.Notes) == 0 {
			t.Errorf("a manual plan has %d steps, %d notes and the message %q", len(plan.Steps), len(plan.Notes), plan.Message)
		}
		return
	}
	if len(plan.Steps) == 0 || plan.Message == "" || plan.Safety == conversion.Review && len(plan.Notes) == 0 {
		t.Errorf("a plan that is %s has %d steps, %d notes and the message %q", plan.Safety, len(plan.Steps), len(plan.Notes), plan.Message)
	}
	if _, err := conversion.Apply(v, plan.Steps); err != nil {
		t.Errorf("%v; the steps are %v", err, plan.Steps)
	}
}
