package conversion

import (
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Each API that is deprecated or removed in a known minor has an entry, and there
// are no other entries.
func TestTableIsWhole(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for api := range lifecycle.All() {
		if api.Class() == lifecycle.List {
			continue
		}
		over := !api.Servable().Has(lifecycle.Newest)
		for m := lifecycle.Oldest; m <= lifecycle.Newest; m++ {
			over = over || api.IsDeprecated(m)
		}
		e, ok := table()[api.String()]
		if ok != over && (over || api.Deprecated() == 0) {
			t.Errorf("%s: deprecated or gone: %v; in the table: %v", api, over, ok)
			continue
		}
		if !ok {
			continue
		}
		used[api.String()] = true
		if (e.noDestination == "") == (len(e.destinations) == 0) {
			t.Errorf("%s: %d ways, and none because %q", api, len(e.destinations), e.noDestination)
		}
		for _, target := range e.destinations {
			kind := target.kind
			if kind == "" {
				kind = api.Kind()
			}
			to, known := lifecycle.LookupGV(target.apiVersion, kind)
			if !known || to == api {
				t.Errorf("%s leads to %s %s", api, target.apiVersion, kind)
				continue
			}
			if to.Servable().Newest() < api.Servable().Newest() {
				t.Errorf("%s leads to %s, which went before it", api, to)
			}
		}
		if successor, ok := api.Successor(); ok && len(e.destinations) > 0 {
			first, _ := lifecycle.LookupGV(e.destinations[0].apiVersion, successor.Kind())
			if first != successor && first.Servable().Newest() < lifecycle.Newest {
				t.Errorf("%s leads to %s first; its successor is %s", api, first, successor)
			}
		}
	}
	for name := range table() {
		if !used[name] {
			t.Errorf("the table has %s", name)
		}
	}
}
