package vettool

import (
	"go/parser"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/internal/libsource"
	"github.com/kubevet/kubevet/internal/unit"
)

// study finds the facts about a package of another module, as goload does. It writes the
// facts for the packages that import this one. If there is no export data, it also writes
// the types. It writes nothing and returns false if the package cannot have facts or does
// not type-check.
func (t *Tool) study(p *program) (bool, error) {
	imports := slices.Sorted(maps.Values(p.ImportMap))
	if t.Library == nil || !t.Library(p.ImportPath, imports) {
		return false, nil
	}
	withFacts := map[string]bool{} // true for imports with facts
	worth := false
	for _, path := range imports {
		left, err := p.leftover(path)
		if err != nil {
			return false, err
		}
		withFacts[path] = len(left.facts) > 0
		worth = worth || withFacts[path] || t.Client != nil && t.Client(path)
	}
	if !worth {
		return false, nil
	}
	files, err := p.parse(parser.ParseComments)
	if err != nil {
		return false, nil //nolint:nilerr // its errors show in the package that imports it
	}
	if !libsource.Reduce(files, func(path string) bool { return withFacts[p.ImportMap[path]] }) {
		return false, nil
	}
	conf := p.checker()
	conf.DisableUnusedImportCheck = true
	u := &unit.Package{Fset: p.fset, Files: files, Info: unit.NewInfo(), Sizes: conf.Sizes, Module: p.module()}
	var broken error
	conf.Error = func(err error) { broken = err }
	if u.Types, _ = conf.Check(p.ImportPath, p.fset, files, u.Info); broken != nil || u.Types == nil {
		return false, nil
	}
	facts, err := p.facts()
	if err != nil {
		return false, err
	}
	unit.Run(u, t.Facts, facts)
	return true, p.pass(u, facts)
}
