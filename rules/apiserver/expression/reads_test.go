package expression

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

type accessor struct{ name, expression string }

func (a accessor) GetExpression() string    { return a.expression }
func (a accessor) GetName() string          { return a.name }
func (a accessor) ReturnTypes() []*cel.Type { return []*cel.Type{cel.AnyType} }

func TestReads(t *testing.T) {
	variables := []accessor{
		{"replicas", "object.spec.replicas"},
		{"all", "object.spec.containers + object.spec.?initContainers.orValue([])"},
		{"team", "has(object.metadata.labels.team) ? object.metadata.labels.team : 'none'"},
		{"limit", "variables.replicas * 2"},
	}
	for _, test := range []struct{ expression, want string }{
		{"true", ""},
		{"object.spec.replicas <= 5", "object.spec.replicas"},
		{"has(object.spec.replicas) && object.spec.replicas <= params.max", "object.spec.replicas params.max"},
		{"object.metadata.labels['app.example.com/team'] == 'x'", `object.metadata.labels["app.example.com/team"]`},
		{"object.spec.containers[0].image == ''", "object.spec.containers[0].image"},
		{"object.spec.containers[size(oldObject.spec.containers)].image == ''", "oldObject.spec.containers object.spec.containers[*].image"},
		{"object.spec.containers.all(c, c.image.startsWith('a/'))", "object.spec.containers[*].image"},
		{"object.spec.containers.exists(c, c.ports.exists_one(p, p.hostPort == 1))", "object.spec.containers[*].ports[*].hostPort"},
		{"object.spec.containers.filter(c, c.tty).all(c, c.stdin)", "object.spec.containers[*].tty object.spec.containers[*].stdin"},
		{"object.spec.containers.map(c, c.image).all(i, i != '')", "object.spec.containers[*].image"},
		{"variables.replicas > 1", "object.spec.replicas"},
		{"variables.limit > 1", "object.spec.replicas"},
		{"variables.all.all(c, has(c.resources))", "object.spec.containers[*].resources object.spec.initContainers[*].resources"},
		{"variables.team == 'a'", "object.metadata.labels.team"},
		{"object.?metadata.?labels[?'a'].orValue('') == request.name", "object.metadata.labels.a request.name"},
		{"authorizer.group('apps').resource('deployments').check('create').allowed()", "authorizer"},
		{"namespaceObject.metadata.labels.exists(k, k == 'a')", "namespaceObject.metadata.labels[*]"},
		{"object.spec.containers.all(c, true)", "object.spec.containers[*]"},
		{"object.metadata.annotations.all(k, v, k != v)", "object.metadata.annotations[*]"},
	} {
		c, err := NewCompiler(37, Variables{Params: true, Authorizer: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variables {
			if got := c.Variable(v); got.Error != nil {
				t.Fatal(got.Error)
			}
		}
		got := c.Compile(accessor{expression: test.expression})
		if got.Error != nil {
			t.Errorf("%s: %v", test.expression, got.Error)
			continue
		}
		var all []string
		for _, p := range got.Reads {
			all = append(all, p.String())
		}
		if s := strings.Join(all, " "); s != test.want {
			t.Errorf("%s reads %s, want %s", test.expression, s, test.want)
		}
	}
}

// A variable can only use variables that come before it, so variables cannot be
// cyclic.
func TestCyclicVariables(t *testing.T) {
	c, err := NewCompiler(37, Variables{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []accessor{{"a", "variables.b"}, {"b", "variables.a"}, {"c", "variables.c"}} {
		if got := c.Variable(v); got.Error == nil && v.name != "b" {
			t.Errorf("%s compiles", v.name)
		}
	}
}

// The analysis of a giant expression must not fail or take long.
func TestGiantExpression(t *testing.T) {
	c, err := NewCompiler(37, Variables{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.Repeat("object.a + ", 3000) + "object.b == 1",
		"object" + strings.Repeat(".a", 3000) + " == 1",
		"object" + strings.Repeat("[0]", 200) + " == 1",
		strings.Repeat("[", 100) + "object.a" + strings.Repeat("]", 100) + ".size() == 1",
		"object.a" + strings.Repeat(".filter(x, x.b)", 40) + ".size() == 1",
		strings.Repeat("object.a.all(x, ", 12) + "x.b" + strings.Repeat(")", 12),
	} {
		got := c.Compile(accessor{expression: text})
		if len(got.Reads) > maxPaths {
			t.Errorf("%d paths", len(got.Reads))
		}
		for _, p := range got.Reads {
			if len(p) > maxSteps {
				t.Errorf("%d steps", len(p))
			}
		}
	}
}
