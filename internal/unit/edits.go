package unit

import (
	"go/token"
	"slices"

	"github.com/kubevet/kubevet/internal/fixset"
	"golang.org/x/tools/go/analysis"
)

// Edits returns the edits of a suggested fix in order. It returns false if the fix
// changes nothing, its edits overlap, or an edit crosses the end of its file.
func Edits(fset *token.FileSet, fix analysis.SuggestedFix) ([]fixset.Edit, bool) {
	var edits []fixset.Edit
	for _, e := range fix.TextEdits {
		to := e.End
		if !to.IsValid() {
			to = e.Pos
		}
		file := fset.File(e.Pos)
		if file == nil || to < e.Pos || int(to) > file.Base()+file.Size() {
			return nil, false
		}
		edits = append(edits, fixset.Edit{File: file.Name(), Start: file.Offset(e.Pos), End: file.Offset(to), New: string(e.NewText)})
	}
	slices.SortStableFunc(edits, func(x, y fixset.Edit) int {
		switch {
		case x.File < y.File:
			return -1
		case x.File > y.File:
			return 1
		}
		return x.Start - y.Start
	})
	for i := 1; i < len(edits); i++ {
		if edits[i].File == edits[i-1].File && edits[i].Start < edits[i-1].End {
			return nil, false
		}
	}
	return edits, len(edits) > 0
}
