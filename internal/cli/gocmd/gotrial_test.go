package gocmd

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/goload"
)

// TestTrial selects fixes with a simulated compiler, which refuses the word bad, and more
// than one x.
func TestTrial(t *testing.T) {
	const text = "package a\n\nvar v = []string{\"1\", \"2\", \"3\"}\n"
	edit := func(old, with string) []fixset.Edit {
		at := bytes.Index([]byte(text), []byte(old))
		return []fixset.Edit{{File: "a.go", Start: at, End: at + 1, New: with}}
	}
	for _, tt := range []struct {
		name    string
		fixes   [][]fixset.Edit
		kept    []int
		refused []int
	}{
		{"all", [][]fixset.Edit{edit("1", "a"), edit("2", "x")}, []int{0, 1}, nil},
		{"one does not compile", [][]fixset.Edit{edit("1", "bad"), edit("2", "x")}, []int{1}, []int{0}},
		{"two do not compile together", [][]fixset.Edit{edit("1", "x"), edit("2", "x"), edit("3", "y")}, []int{0, 2}, []int{1}},
		{"none", [][]fixset.Edit{edit("1", "bad")}, nil, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := &fixTrial{texts: map[string][]byte{"a.go": []byte(text), "b.go": nil}, compile: func(texts map[string][]byte) []goload.Broken {
				if got := texts["a.go"]; bytes.Contains(got, []byte("bad")) || bytes.Count(got, []byte("x")) > 1 {
					return []goload.Broken{{Files: []string{"a.go"}, Err: goload.Error{Msg: "no"}}}
				}
				return nil
			}}
			var all []candidate
			for i, f := range tt.fixes {
				all = append(all, candidate{finding: i, edits: f})
			}
			files, fixes, err := tr.choose(all)
			if err != nil {
				t.Fatal(err)
			}
			var kept, refused []int
			for _, c := range tr.kept {
				if fixes.Made(c.number) {
					kept = append(kept, c.finding)
				}
			}
			for _, r := range tr.refused {
				refused = append(refused, r.finding)
			}
			if diff := cmp.Diff([][]int{tt.kept, tt.refused}, [][]int{kept, refused}); diff != "" {
				t.Errorf("kept and refused (-want +got):\n%s", diff)
			}
			if slices.ContainsFunc(files, func(f fixset.File) bool { return bytes.Contains(f.New, []byte("bad")) }) {
				t.Error("a file that does not compile is written")
			}
		})
	}
}
