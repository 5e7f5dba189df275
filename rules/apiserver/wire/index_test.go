package wire

import (
	"slices"
	"strconv"
	"testing"
)

// TestField checks look-ups in maps of different sizes, and in maps whose fields
// were changed.
func TestField(t *testing.T) {
	for _, n := range []int{0, 1, maxLinearSearch, maxLinearSearch + 1, 1000} {
		var fields []Field
		for i := range n {
			fields = append(fields, Field{Name: strconv.Itoa(i), Value: &Value{Kind: String, Text: strconv.Itoa(i)}})
		}
		v := &Value{Kind: Map}
		v.SetFields(fields)
		for i := range n {
			if got := v.Get(strconv.Itoa(i)).StringOr(""); got != strconv.Itoa(i) {
				t.Errorf("%d fields: field %d is %q", n, i, got)
			}
		}
		if v.Field("none") != nil {
			t.Errorf("%d fields: found a field that does not exist", n)
		}
		if n == 0 {
			continue
		}
		changed := *v
		changed.Fields = slices.Delete(slices.Clone(v.Fields), 0, 1)
		changed.Fields = append(changed.Fields, Field{Name: "new", Value: &Value{Kind: String, Text: "new"}})
		if changed.Field("0") != nil || changed.Get("new").StringOr("") != "new" || v.Field("0") == nil {
			t.Errorf("%d fields: a changed copy is mixed up with the original", n)
		}
	}
}
