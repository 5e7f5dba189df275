package conversion_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func ingressOf(t testing.TB, paths int) *wire.Value {
	var b strings.Builder
	b.WriteString(`{"apiVersion":"extensions/v1beta1","kind":"Ingress","metadata":{"name":"a"},"spec":{"rules":[{"http":{"paths":[`)
	for i := range paths {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"path":"/%d","backend":{"serviceName":"a","servicePort":80}}`, i)
	}
	b.WriteString(`]}}]}}`)
	v, err := wire.JSON([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The time must grow in proportion to the size of the object.
func TestManyPaths(t *testing.T) {
	target := targetOf(t, "1.37")
	v := ingressOf(t, 20000)
	start := time.Now()
	plan, ok := conversion.Of(v, target)
	if !ok || plan.Safety != conversion.Safe || len(plan.Steps) != 60001 {
		t.Fatalf("%v, %s, %d steps", ok, plan.Safety, len(plan.Steps))
	}
	if _, err := conversion.Apply(v, plan.Steps); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	} else {
		t.Log(took)
	}
}

func BenchmarkOf(b *testing.B) {
	v := ingressOf(b, 10)
	target := targetOf(b, "1.37")
	for b.Loop() {
		if _, ok := conversion.Of(v, target); !ok {
			b.Fatal("no plan")
		}
	}
}
