package webhook

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestCandidates checks that an object is compared only with the webhooks that have
// rules for its resource.
func TestCandidates(t *testing.T) {
	rules := func(groups, resources, operations string) string {
		return fmt.Sprintf(`{'name':'h','rules':[{'operations':[%s],'apiGroups':[%s],'apiVersions':['*'],'resources':[%s]}]}`, operations, groups, resources)
	}
	all := []*Configuration{
		configuration(t, "v1beta1", validating, "pods", rules(`''`, `'pods'`, `'CREATE'`)),
		configuration(t, "v1beta1", validating, "wild", rules(`'*'`, `'*/*'`, `'*'`)),
	}
	for i := range 3000 {
		name := fmt.Sprint("other-", i)
		all = append(all,
			configuration(t, "v1beta1", validating, name+"-resource", rules(`'*'`, fmt.Sprintf(`'things%d','pods/status'`, i), `'*'`)),
			configuration(t, "v1beta1", validating, name+"-group", rules(fmt.Sprintf(`'g%d.example.com'`, i), `'*'`, `'*'`)),
			configuration(t, "v1beta1", validating, name+"-operation", rules(`''`, `'pods'`, `'DELETE'`)),
			configuration(t, "v1", validating, name+"-harmless", strings.Replace(rules(`''`, `'pods'`, `'*'`), `'name'`, `'sideEffects':'None','name'`, 1)))
	}
	hooks := NewHooks(all)
	for object, want := range map[string]int{pod: 2, deployment: 1, widget: 3001} {
		o := NewObject(apiserver.Server{Minor: 21}, request(t, object), Cluster{})
		if got := len(hooks.validating.candidates(o)); got != want {
			t.Errorf("%s: %d of %d configurations are asked, want %d", object, got, len(all), want)
		}
	}
}

// The index must not change the refusals.
func TestIndexedRefusals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	objects := []string{pod, deployment, ingress, role, namespace, widget}
	refused := 0
	for range 4000 {
		var all []*Configuration
		for range r.IntN(7) {
			var hooks []string
			for range r.IntN(3) {
				hooks = append(hooks, fmt.Sprintf(`{'name':'%s','sideEffects':'%s','matchPolicy':'%s'%s,'rules':[{'operations':['%s'],'apiGroups':['%s'],'apiVersions':['%s'],'resources':['%s','%s']}]}`,
					pick("a", "b"), pick("None", "Some", "Unknown"), pick("Exact", "Equivalent"),
					pick("", "", `,'matchConditions':[{}]`, `,'objectSelector':{'matchLabels':{'app':'a'}}`, `,'namespaceSelector':{'matchLabels':{'x':'y'}}`),
					pick("*", "CREATE", "UPDATE"), pick("*", "", "apps", "example.com"), pick("*", "v1"),
					pick("*", "*/*", "pods", "widgets", "deployments"), pick("namespaces", "pods/status", "wid", "ingresses")))
			}
			all = append(all, configuration(t, "v1beta1", pick(mutating, validating), pick("a", "b", "c"), strings.Join(hooks, ",")))
		}
		o := NewObject(apiserver.Server{Minor: 21}, request(t, objects[r.IntN(len(objects))]), Cluster{})
		got, want := NewHooks(all).DryRun(o), unindexed(all).DryRun(o)
		if (got == nil) != (want == nil) || got != nil && (!reflect.DeepEqual(got.Cause, want.Cause) || got.Mutating != want.Mutating || got.Configuration != want.Configuration) {
			t.Fatalf("%+v, without an index %+v", got, want)
		}
		if got != nil {
			refused++
		}
		var texts Texts
		for _, c := range all {
			c.Strip(&texts)
		}
		if got := NewHooks(all).DryRun(o); (got == nil) != (want == nil) || got != nil && (!reflect.DeepEqual(got.Cause, want.Cause) || got.Configuration != want.Configuration) {
			t.Fatalf("stripped %+v, want %+v", got, want)
		}
	}
	if refused < 200 {
		t.Errorf("%d objects were refused", refused)
	}
}

// unindexed returns Hooks that compare every object with all configurations.
func unindexed(all []*Configuration) *Hooks {
	hooks := &Hooks{}
	for _, c := range slices.SortedStableFunc(slices.Values(all), func(a, b *Configuration) int { return strings.Compare(a.Name, b.Name) }) {
		list := &hooks.validating
		if c.Mutating {
			list = &hooks.mutating
		}
		if n := len(list.byName); n > 0 && list.byName[n-1][0].Name == c.Name {
			list.byName[n-1] = append(list.byName[n-1], c)
			continue
		}
		list.byName = append(list.byName, []*Configuration{c})
	}
	for _, list := range []*hookList{&hooks.mutating, &hooks.validating} {
		list.byResource, list.allOfGroup, list.anyOfGroup = map[string][]int{}, map[string][]int{}, map[string][]int{}
		for place := range list.byName {
			list.allOfGroup["*"] = append(list.allOfGroup["*"], place)
		}
		list.anyOfGroup = list.allOfGroup
	}
	return hooks
}
