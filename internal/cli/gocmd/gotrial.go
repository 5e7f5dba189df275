package gocmd

import (
	"slices"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/gofix"
	"github.com/kubevet/kubevet/internal/goload"
)

// candidate is a fix that may be applied if the code still compiles.
type candidate struct {
	finding int // index of the finding
	edits   []fixset.Edit
	number  int // index of the fix in the fixset.Set
}

// refusal is a fix that is not applied, because the code would not compile.
type refusal struct {
	candidate
	reason string
}

// fixTrial selects the fixes with which the code still compiles.
type fixTrial struct {
	// texts has the texts of the files before the fixes, by name.
	texts map[string][]byte
	// compile type-checks the packages of changed files with the new texts. It returns
	// the packages that do not compile.
	compile func(texts map[string][]byte) []goload.Broken

	kept    []candidate
	refused []refusal
}

// choose returns the selected fixes and the changed files. First it applies all fixes
// together, because this type-checks each package only once. If a package does not
// compile, choose tries each of the package's fixes alone. Finally, it adds the remaining
// fixes one by one, and drops each fix that breaks the code.
func (t *fixTrial) choose(all []candidate) ([]fixset.File, *fixset.Set, error) {
	files, fixes, broken, err := t.apply(all)
	if err != nil || len(broken) == 0 {
		return files, fixes, err
	}
	suspects := func(c candidate, broken []goload.Broken) bool {
		return slices.ContainsFunc(broken, func(b goload.Broken) bool {
			return slices.ContainsFunc(c.edits, func(e fixset.Edit) bool { return slices.Contains(b.Files, e.File) })
		})
	}
	var left, doubtful []candidate
	for _, c := range all {
		if !suspects(c, broken) {
			left = append(left, c)
			continue
		}
		_, _, alone, err := t.apply([]candidate{c})
		if err != nil {
			return nil, nil, err
		}
		if len(alone) > 0 {
			t.refused = append(t.refused, refusal{c, alone[0].Err.Msg})
			continue
		}
		doubtful = append(doubtful, c)
	}
	files, fixes, broken, err = t.apply(append(slices.Clone(left), doubtful...))
	if err != nil || len(broken) == 0 {
		return files, fixes, err
	}
	for _, c := range doubtful {
		together := append(slices.Clone(left), c)
		_, _, broken, err := t.apply(together)
		if err != nil {
			return nil, nil, err
		}
		if len(broken) > 0 {
			t.refused = append(t.refused, refusal{c, broken[0].Err.Msg})
			continue
		}
		left = together
	}
	files, fixes, _, err = t.apply(left)
	return files, fixes, err
}

// apply applies fixes together. It returns the changed files and the packages that no
// longer compile.
func (t *fixTrial) apply(list []candidate) ([]fixset.File, *fixset.Set, []goload.Broken, error) {
	fixes := &fixset.Set{}
	t.kept = slices.Clone(list)
	for i := range t.kept {
		t.kept[i].number = fixes.Add(t.kept[i].edits)
	}
	files, err := fixes.Apply(func(name string) ([]byte, error) { return t.texts[name], nil }, gofix.Finish)
	if err != nil || len(files) == 0 {
		return files, fixes, nil, err
	}
	changed := map[string][]byte{}
	for _, f := range files {
		changed[f.Name] = f.New
	}
	return files, fixes, t.compile(changed), nil
}
