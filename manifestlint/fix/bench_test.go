package fix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// BenchmarkMinified edits JSON on one line. The time for each byte must not
// depend on the length of the line.
func BenchmarkMinified(b *testing.B) {
	for _, size := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			d := &Document{JSON: true, Text: []byte(`{"apiVersion":"a/v1","items":[` + strings.Repeat(`{"k":"ä"},`, size) + `{}]}`)}
			b.SetBytes(int64(len(d.Text)))
			for b.Loop() {
				if _, err := d.Edits([]conversion.Step{set(path("apiVersion"), str("a/v2"))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestOffsetAnyOrder converts positions in an unusual order. The result must
// not depend on earlier calls.
func TestOffsetAnyOrder(t *testing.T) {
	src := newText([]byte("{\"ä\":\n \"öß\", \"b\": 1}"))
	for _, p := range []struct{ line, column, want int }{{2, 13, 21}, {2, 2, 8}, {1, 3, 2}, {2, 7, 15}, {1, 4, 4}, {2, 5, 13}, {2, 5, 13}, {1, 1, 0}} {
		if got, err := src.offset(wire.Pos{Line: p.line, Column: p.column}); err != nil || got != p.want {
			t.Errorf("%d:%d is at %d (%v), want %d", p.line, p.column, got, err, p.want)
		}
	}
	if _, err := src.offset(wire.Pos{Line: 2, Column: 99}); err == nil {
		t.Error("there is a column 99")
	}
	if got, err := src.offset(wire.Pos{Line: 2, Column: 13}); err != nil || got != 21 {
		t.Errorf("after an error: %d (%v)", got, err)
	}
}
