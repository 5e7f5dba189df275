package contention

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
)

// FuzzWalk checks that no text makes the walker panic or loop forever. The
// walker must accept all objects that encoding/json accepts.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{
		`{"metadata":{"labels":{"a/b":"c"},"managedFields":[{"manager":"x"}],"finalizers":["a","b"]},"spec":{"containers":[{"name":"c","image":"i"},{"name":"d"}],"hosts":["a",1,null,{"x":[]}]}}`,
		`[{"op":"add","path":"/metadata/labels/a~1b","value":{"c":1}},{"op":"remove","path":"/spec/x/0"}]`,
		`{"f:data":{".":{},"f:a":{},"k:{\"name\":\"c\"}":{"f:x":{}},"v:\"x\"":{},"i:1":{}}}`,
		`{"a":"\u00e9\ud83d\ude00\"\\","b":-1.5e3,"c":{},"d":[],"e":[[1]],"$patch":"replace"}`, `{"a":`, `{"a":[{"name":`, `[{"op":"add","path":"/","value":`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var w walker
		names := 0
		w.name = func(_ uint64, text func() string, _ bool) { names += len(text()) }
		var object map[string]any
		valid := json.Unmarshal(data, &object) == nil && object != nil
		for _, patch := range []bool{false, true} {
			if ok := w.object(data, patch); valid && !ok && len(w.leaves) <= maxLeaves {
				t.Errorf("an object that is not read, patch %v: %q", patch, data)
			} else if ok {
				w.set()
			}
		}
		if w.operations(data) {
			w.set()
		}
		ownedFields(data)
		leftovers(data, "x")
		fetched(data)
		auditlog.Unescape(nil, data)
	})
}

// TestOrdered checks that versions correct the order only within the error of
// clocks.
func TestOrdered(t *testing.T) {
	const s = 1e6
	in := []observation{{at: 1 * s, version: 5}, {at: 2 * s, version: 4}, {at: 2.5 * s}, {at: 3 * s, version: 6}, {at: 100 * s, version: 1}}
	var got []uint64
	for _, w := range ordered(in) {
		got = append(got, w.version)
	}
	want := []uint64{4, 5, 0, 6, 1}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestValuesOfDifferentTypesDiffer checks that no string has the fingerprint of a
// number.
func TestValuesOfDifferentTypesDiffer(t *testing.T) {
	seen := map[uint64]string{}
	w := &walker{}
	for i := range 1000 {
		for _, text := range []string{fmt.Sprintf(`{"a":"%d"}`, i), fmt.Sprintf(`{"a":%d}`, i)} {
			w.object([]byte(text), false)
			if before, known := seen[w.leaves[0].value]; known {
				t.Fatalf("%s and %s are equal", before, text)
			}
			seen[w.leaves[0].value] = text
		}
	}
}

// TestFinalizers checks that a strategic merge patch adds a finalizer, and that
// a merge patch also removes all others.
func TestFinalizers(t *testing.T) {
	const own, others = `metadata.finalizers["a"]`, "metadata.finalizers"
	for patch, want := range map[string][]string{
		`{"metadata":{"finalizers":["a"]}}`:                                         {others, own},
		`{"metadata":{"$setElementOrder/finalizers":["b","a"],"finalizers":["a"]}}`: {own},
	} {
		w := walker{parts: true}
		var got []string
		w.name = func(_ uint64, text func() string, _ bool) { got = append(got, text()) }
		if !w.object([]byte(patch), true) {
			t.Fatalf("%s is not read", patch)
		}
		w.set()
		got = slices.DeleteFunc(got, func(s string) bool { return strings.Contains(s, "$") })
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: fields %q, want %q", patch, got, want)
		}
	}
}
