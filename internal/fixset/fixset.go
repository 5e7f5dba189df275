// Package fixset applies fixes to files. A fix is a list of byte edits, which are all
// made or none. A fix that overlaps with an earlier fix is skipped.
package fixset

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/rogpeppe/go-internal/diff"
)

// Edit replaces the bytes from Start up to, but not including, End of a file by New. If
// Start and End are equal, it inserts New.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// Set is a set of fixes to apply together. The zero value is an empty set.
type Set struct {
	taken map[string][]Edit // edits to make by file, sorted by position
	fixes []addedFix
}

// addedFix is a fix that was added to the set.
type addedFix struct {
	edits []Edit
	// made is true if the fix is applied.
	made bool
}

// Add adds a fix and returns its number, the argument of Made. A fix that overlaps with
// an earlier fix is skipped. An equal edit of two fixes, such as a new import, is no
// overlap and is made once.
func (s *Set) Add(edits []Edit) int {
	edits = slices.Clone(edits)
	s.fixes = append(s.fixes, addedFix{edits: edits, made: s.addEdits(edits)})
	return len(s.fixes) - 1
}

// addEdits adds the edits of a fix. It adds none and returns false if one of them overlaps
// with an earlier edit.
func (s *Set) addEdits(edits []Edit) bool {
	if len(edits) == 0 {
		return false
	}
	slices.SortStableFunc(edits, compare)
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || i > 0 && collide(edits[i-1], e) || s.overlaps(e) {
			return false
		}
	}
	if s.taken == nil {
		s.taken = map[string][]Edit{}
	}
	for _, e := range edits {
		at, same := slices.BinarySearchFunc(s.taken[e.File], e, compare)
		if same && slices.Contains(s.taken[e.File], e) {
			continue
		}
		s.taken[e.File] = slices.Insert(s.taken[e.File], at, e)
	}
	return true
}

// overlaps reports whether an edit collides with an edit in the set. Only the nearest
// edits are checked, because the edits in the set do not collide with each other.
func (s *Set) overlaps(e Edit) bool {
	taken := s.taken[e.File]
	at, _ := slices.BinarySearchFunc(taken, e, compare)
	for i := at - 1; i >= 0 && (i == at-1 || taken[i].Start == e.Start); i-- {
		if taken[i] != e && collide(taken[i], e) {
			return true
		}
	}
	for i := at; i < len(taken) && taken[i].Start <= e.End; i++ {
		if taken[i] != e && collide(taken[i], e) {
			return true
		}
	}
	return false
}

func compare(x, y Edit) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), cmp.Compare(x.New, y.New))
}

// collide reports whether two edits cannot both be made: they change the same bytes or
// insert text at the same offset.
func collide(x, y Edit) bool {
	if x.File != y.File {
		return false
	}
	if x.Start == y.Start {
		return true
	}
	return x.Start < y.End && y.Start < x.End
}

// Made reports whether a fix is applied. Call it after Apply.
func (s *Set) Made(fix int) bool { return s.fixes[fix].made }

// Applied returns the number of fixes that are applied. Call it after Apply.
func (s *Set) Applied() int { return s.count(true) }

// Skipped returns the number of fixes that are not applied. Call it after Apply.
func (s *Set) Skipped() int { return s.count(false) }

func (s *Set) count(made bool) int {
	n := 0
	for _, f := range s.fixes {
		if f.made == made {
			n++
		}
	}
	return n
}

// File is a changed file.
type File struct {
	Name     string
	Old, New []byte
}

// Diff returns the change as a unified diff with a name for the file. `git apply -p0` and
// `patch -p0` change the file with exactly this name. The lines of the file are not
// escaped, because the diff would then not apply.
func (f File) Diff(name string) string {
	name = quote.PatchName(name)
	end := ""
	if strings.Contains(name, " ") && name[0] != '"' {
		end = "\t" // without a tab, the text after a space would be read as a date
	}
	_, hunks, _ := bytes.Cut(diff.Diff("", f.Old, "", f.New), []byte("\n+++ \n")) // the text after the names
	return fmt.Sprintf("diff %s %s\n--- %s%s\n+++ %s%s\n%s", name, name, name, end, name, end, hunks)
}

// Finish completes the text of a file after its edits. old is the text before the edits.
// After an error, the file is not changed.
type Finish func(name string, old, text []byte) ([]byte, error)

// Apply makes the edits and returns the changed files, sorted by name. It does not write
// files. read returns the text of a file. If finish returns an error for a file, the
// fixes of this file are skipped. finish may be nil.
func (s *Set) Apply(read func(name string) ([]byte, error), finish Finish) ([]File, error) {
	names := make([]string, 0, len(s.taken))
	for name := range s.taken {
		names = append(names, name)
	}
	slices.Sort(names)
	var files []File
	for _, name := range names {
		old, err := read(name)
		if err != nil {
			return nil, err
		}
		text, err := change(name, old, s.taken[name])
		if err == nil && finish != nil {
			text, err = finish(name, old, text)
		}
		if err != nil {
			s.skipFile(name)
			continue
		}
		if !bytes.Equal(old, text) {
			files = append(files, File{name, old, text})
		}
	}
	return files, nil
}

// skipFile skips all fixes that change a file.
func (s *Set) skipFile(name string) {
	for i, fix := range s.fixes {
		if slices.ContainsFunc(fix.edits, func(e Edit) bool { return e.File == name }) {
			s.fixes[i].made = false
		}
	}
}

// change makes the edits of one file. The edits are sorted and do not collide.
func change(name string, old []byte, edits []Edit) ([]byte, error) {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.End > len(old) || e.Start < at {
			return nil, fmt.Errorf("%s: edit outside of the file", name)
		}
		out.Write(old[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(old[at:])
	return out.Bytes(), nil
}
