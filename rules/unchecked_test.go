package rules

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnchecked(t *testing.T) {
	var all Unchecked
	for part := range 3 {
		var u Unchecked
		for i := range MaxUncheckedKinds {
			u.Count("example.com/v1", fmt.Sprintf("Kind%d", part*500+i), Place{File: "a.yaml", Document: i, Line: 1})
		}
		u.Count("example.com/v1", "Kind0", Place{File: "b.yaml", Line: 1})
		u.Count("example.com/v1", strings.Repeat("K", 1<<20), Place{File: "b.yaml", Line: 1})
		all.Add(&u)
	}
	sum := 0
	for _, k := range all.Kinds {
		sum += k.Objects
	}
	if all.Objects != 3*(MaxUncheckedKinds+2) || sum+all.Others != all.Objects || len(all.Kinds) != MaxUncheckedKinds {
		t.Errorf("%d objects, %d listed and %d others, of %d kinds", all.Objects, sum, all.Others, len(all.Kinds))
	}
	first := all.MostFrequent()[0]
	if first.Kind != "Kind0" || first.Objects != 2 || first.Places[0] != (Place{File: "a.yaml", Line: 1}) {
		t.Errorf("the most frequent kind is %+v", first)
	}

	var places Unchecked
	for range MaxListed + 1 {
		places.Count("example.com/v1", "Kind", Place{File: "a.yaml", Line: 1})
	}
	var twice Unchecked
	twice.Add(&places)
	twice.Add(&places)
	if twice.Objects != 2*(MaxListed+1) || len(twice.Kinds[0].Places) != MaxListed {
		t.Errorf("%d objects, %d places", twice.Objects, len(twice.Kinds[0].Places))
	}
}
