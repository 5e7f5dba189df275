package versions

import (
	"bytes"
	"encoding/json"
	"flag"
	"reflect"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

var (
	objects = flag.Int("objects", 60, "how many objects of each kind are made up")
	first   = flag.Uint64("first", 1, "the first seed that they are made up from")
)

// TestSafe generates objects of all deprecated kinds, half of them with invalid values.
// If the plan for an object is safe, its steps must result in the same object as the
// release's conversion, after defaults are set in both. A second plan, for the result,
// must be empty.
func TestSafe(t *testing.T) {
	s := New()
	target, err := lifecycle.NewTarget(Minor, nil, []string{"api/all=true"})
	if err != nil {
		t.Fatal(err)
	}
	kinds, safe := 0, 0
	for api := range lifecycle.All() {
		if api.Class() != lifecycle.Resource || !s.Has(api.GroupVersion(), api.Kind()) {
			continue
		}
		asked := false
		for seed := *first; seed < *first+uint64(*objects); seed++ {
			old, err := s.Generate(api.GroupVersion(), api.Kind(), seed)
			if err == nil && seed%2 == 0 {
				old, err = Break(old, seed)
			}
			if err != nil {
				t.Fatalf("%s: %v", api, err)
			}
			v, err := wire.JSON(old)
			if err != nil {
				t.Fatal(err)
			}
			plan, ok := conversion.Of(v, target)
			if !ok {
				break
			}
			asked = true
			if plan.Safety == conversion.Manual {
				if len(plan.Notes) == 0 || len(plan.Steps) > 0 {
					t.Errorf("%s %d: a manual plan with %d steps and %d notes", api, seed, len(plan.Steps), len(plan.Notes))
				}
				continue
			}
			made, err := conversion.Apply(v, plan.Steps)
			if err != nil {
				t.Fatalf("%s %d: %v", api, seed, err)
			}
			if again, ok := conversion.Of(made, target); ok && again.Safety != conversion.Manual {
				t.Errorf("%s %d: the converted object is to be converted again", api, seed)
			}
			if plan.Safety != conversion.Safe {
				continue
			}
			want, err := s.Show(old, plan.To.GroupVersion())
			if err != nil {
				continue // the release refuses the object
			}
			safe++
			text := encode(made)
			got, err := s.Show(text, plan.To.GroupVersion())
			switch {
			case err != nil:
				t.Errorf("%s %d: the release takes the old object and not the new one: %v\n%s", api, seed, err, text)
			case want.Strict == "" && got.Strict != "":
				t.Errorf("%s %d: %s\n%s", api, seed, got.Strict, text)
			case !reflect.DeepEqual(got.Object, want.Object):
				t.Errorf("%s %d: the release shows the old object as\n%s\nand the new one as\n%s", api, seed, indent(want.Object), indent(got.Object))
			}
			if t.Failed() {
				t.Logf("the old object is %s\nthe steps are %v", old, plan.Steps)
				return
			}
		}
		if asked {
			kinds++
		}
	}
	t.Logf("%d kinds, %d safe conversions compared", kinds, safe)
	if kinds < 80 || safe < kinds*(*objects)/2 {
		t.Errorf("only %d safe conversions of %d kinds were compared", safe, kinds)
	}
}

// TestSafeInPlace generates objects with pods. If the replacement of a field is safe, the
// release must return an equal object.
func TestSafeInPlace(t *testing.T) {
	s := New()
	target, err := lifecycle.NewTarget(Minor, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, kind := range [][2]string{{"v1", "Pod"}, {"apps/v1", "Deployment"}, {"batch/v1", "CronJob"}, {"v1", "ReplicationController"}, {"v1", "PodTemplate"}} {
		for seed := *first; seed < *first+uint64(*objects); seed++ {
			old, err := s.Generate(kind[0], kind[1], seed)
			if err != nil {
				t.Fatal(err)
			}
			v, err := wire.JSON(old)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range conversion.InPlace(v, target) {
				if p.Plan.Safety != conversion.Safe {
					continue
				}
				made, err := conversion.Apply(v, p.Plan.Steps)
				if err != nil {
					t.Fatal(err)
				}
				want, err := s.Show(old, kind[0])
				if err != nil {
					continue
				}
				compared++
				if got, err := s.Show(encode(made), kind[0]); err != nil || !reflect.DeepEqual(got.Object, want.Object) {
					t.Errorf("%v %d: %s: %v\n%s\nwas\n%s", kind, seed, p.Field, err, indent(got.Object), indent(want.Object))
				}
			}
		}
	}
	if compared < *objects {
		t.Errorf("only %d replacements were compared", compared)
	}
}

func indent(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func encode(v *wire.Value) []byte {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

func write(b *bytes.Buffer, v *wire.Value) {
	quote := func(s string) {
		data, _ := json.Marshal(s)
		b.Write(data)
	}
	switch v.Kind {
	case wire.Map:
		b.WriteByte('{')
		for i, f := range v.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			quote(f.Name)
			b.WriteByte(':')
			write(b, f.Value)
		}
		b.WriteByte('}')
	case wire.List:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case wire.String:
		quote(v.Text)
	case wire.Null:
		b.WriteString("null")
	default:
		b.WriteString(v.Text)
	}
}
