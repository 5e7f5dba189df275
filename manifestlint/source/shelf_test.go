package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeep keeps files of all sizes up to what the shelf has room for.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	sizes := []int{0, 1, 100, 40 << 10, leastBlock, leastBlock - 1, mostBlock / 4, mostBlock/4 - 1, 3, maxShelved, maxShelved + 1, 7}
	for i, size := range sizes {
		write(t, dir, fmt.Sprintf("%02d.yaml", i), strings.Repeat(string(rune('a'+i)), size))
	}
	write(t, dir, "kustomization.yaml", "resources: [01.yaml]\n")
	write(t, dir, "z/kustomization.yaml", "patches: [{path: p.yaml}]\n")
	write(t, dir, "z/p.yaml", "kind: x\n")
	for _, limit := range []int64{0, 1, 150, 60 << 10, 1 << 20, 16 << 20} {
		inputs, problems := Expand([]string{dir, filepath.Join(dir, "02.yaml")}, Options{Keep: limit})
		if len(inputs) != len(sizes)+3 || len(problems) > 0 {
			t.Fatalf("%d inputs, %v", len(inputs), problems)
		}
		left, all := limit, 0
		for i := range inputs {
			in := &inputs[i]
			want, err := os.ReadFile(in.Path)
			if err != nil {
				t.Fatal(err)
			}
			text, ok := in.Kept()
			if ok && string(text) != string(want) {
				t.Errorf("limit %d: of %s other bytes are kept", limit, in.Name)
			}
			if fits := left > 0 && int64(len(want)) <= left && len(want) <= maxShelved; i > 0 && i < len(sizes) && ok != fits {
				t.Errorf("limit %d: %s, of %d bytes, is kept: %v, with room for %d", limit, in.Name, len(want), ok, left)
			}
			if !ok {
				continue
			}
			all++
			left -= int64(len(text))
			in.Forget()
			if _, ok := in.Kept(); ok {
				t.Errorf("%s is not forgotten", in.Name)
			}
			if err := sameByAllMeans(*in); err != nil {
				t.Errorf("%s: %v", in.Name, err)
			}
		}
		if left < 0 {
			t.Errorf("limit %d: %d bytes too many are kept", limit, -left)
		}
		if limit == 16<<20 && all != len(inputs)-1 {
			t.Errorf("%d of %d inputs are kept", all, len(inputs))
		}
	}
}

// TestKeptApart appends to what is kept, which must not reach what is kept
// beside it.
func TestKeptApart(t *testing.T) {
	dir := makeTree(t, "a.yaml = a\nb.yaml = b")
	inputs, _ := Expand([]string{"."}, Options{Dir: dir, Keep: 1 << 20})
	a, _ := inputs[0].Kept()
	_ = append(a, "overwritten"...)
	if b, _ := inputs[1].Kept(); string(b) != "b\n" {
		t.Errorf("got %q", b)
	}
}
