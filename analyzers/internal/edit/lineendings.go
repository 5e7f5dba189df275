package edit

import (
	"bytes"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// LineEndings returns fixes whose new lines end as the lines of their files do: with CRLF
// if all lines of the file end with CRLF. It does not change the fixes of its argument,
// because several findings may share their edits.
func LineEndings(pass *analysis.Pass, fixes []analysis.SuggestedFix) []analysis.SuggestedFix {
	fixes = slices.Clone(fixes)
	crlf := map[string]bool{}
	for i, fix := range fixes {
		edits := slices.Clone(fix.TextEdits)
		for j, e := range edits {
			if !bytes.Contains(e.NewText, []byte("\n")) || pass.ReadFile == nil {
				continue
			}
			name := pass.Fset.File(e.Pos).Name()
			windows, known := crlf[name]
			if !known {
				src, err := pass.ReadFile(name)
				windows = err == nil && isCRLF(src)
				crlf[name] = windows
			}
			if windows {
				text := bytes.ReplaceAll(e.NewText, []byte("\r\n"), []byte("\n"))
				edits[j].NewText = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
			}
		}
		fixes[i].TextEdits = edits
	}
	return fixes
}

// isCRLF reports whether all lines of a text end with CRLF.
func isCRLF(text []byte) bool {
	lines := bytes.Count(text, []byte("\n"))
	return lines > 0 && lines == bytes.Count(text, []byte("\r\n"))
}
