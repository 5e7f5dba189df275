package unit

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// Facts has the facts about packages and their objects. The zero value is empty and ready
// to use. Facts are safe for concurrent use.
//
// Objects are compared by identity, so all packages must share the same types.Object for
// an object.
type Facts struct {
	mu       sync.RWMutex
	packages map[*types.Package]map[key]analysis.Fact
}

// key identifies a fact of a package. If object is nil, the fact is about the package
// itself.
type key struct {
	object types.Object
	kind   reflect.Type
}

func (f *Facts) get(p *types.Package, k key, to analysis.Fact) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	fact, ok := f.packages[p][k]
	if ok {
		reflect.ValueOf(to).Elem().Set(reflect.ValueOf(fact).Elem())
	}
	return ok
}

func (f *Facts) set(p *types.Package, k key, fact analysis.Fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.packages == nil {
		f.packages = map[*types.Package]map[key]analysis.Fact{}
	}
	if f.packages[p] == nil {
		f.packages[p] = map[key]analysis.Fact{}
	}
	f.packages[p][k] = fact
}

func (f *Facts) importObject(o types.Object, to analysis.Fact) bool {
	if o == nil {
		panic("unit: fact of no object")
	}
	return f.get(o.Pkg(), key{o, reflect.TypeOf(to)}, to)
}

func (f *Facts) importPackage(p *types.Package, to analysis.Fact) bool {
	if p == nil {
		panic("unit: fact of no package")
	}
	return f.get(p, key{nil, reflect.TypeOf(to)}, to)
}

func (f *Facts) exportObject(p *types.Package, o types.Object, fact analysis.Fact) {
	if o == nil || o.Pkg() != p {
		panic(fmt.Sprintf("unit: fact of %v, which is no object of %s", o, p.Path()))
	}
	f.set(p, key{o, reflect.TypeOf(fact)}, fact)
}

func (f *Facts) exportPackage(p *types.Package, fact analysis.Fact) {
	f.set(p, key{nil, reflect.TypeOf(fact)}, fact)
}

// packagesWithFacts returns p and the packages that p imports directly or indirectly, if
// they have facts, sorted by path.
func (f *Facts) packagesWithFacts(p *types.Package) []*types.Package {
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if !seen[p] {
			seen[p] = true
			for _, i := range p.Imports() {
				visit(i)
			}
		}
	}
	visit(p)
	list := slices.Collect(maps.Keys(seen))
	list = slices.DeleteFunc(list, func(p *types.Package) bool { return len(f.packages[p]) == 0 })
	slices.SortFunc(list, func(x, y *types.Package) int { return cmp.Compare(x.Path(), y.Path()) })
	return list
}

// kinds returns the types of the facts of an analyzer.
func kinds(a *analysis.Analyzer) map[reflect.Type]bool {
	set := map[reflect.Type]bool{}
	for _, f := range a.FactTypes {
		set[reflect.TypeOf(f)] = true
	}
	return set
}

func (f *Facts) allObjects(p *types.Package, a *analysis.Analyzer) []analysis.ObjectFact {
	f.mu.RLock()
	defer f.mu.RUnlock()
	of := kinds(a)
	var all []analysis.ObjectFact
	for _, p := range f.packagesWithFacts(p) {
		from := len(all)
		for k, fact := range f.packages[p] {
			if k.object != nil && of[k.kind] {
				all = append(all, analysis.ObjectFact{Object: k.object, Fact: fact})
			}
		}
		slices.SortFunc(all[from:], func(x, y analysis.ObjectFact) int {
			return cmp.Or(
				cmp.Compare(x.Object.Pos(), y.Object.Pos()),
				cmp.Compare(x.Object.Name(), y.Object.Name()),
				cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()),
			)
		})
	}
	return all
}

func (f *Facts) allPackages(p *types.Package, a *analysis.Analyzer) []analysis.PackageFact {
	f.mu.RLock()
	defer f.mu.RUnlock()
	of := kinds(a)
	var all []analysis.PackageFact
	for _, p := range f.packagesWithFacts(p) {
		from := len(all)
		for k, fact := range f.packages[p] {
			if k.object == nil && of[k.kind] {
				all = append(all, analysis.PackageFact{Package: p, Fact: fact})
			}
		}
		slices.SortFunc(all[from:], func(x, y analysis.PackageFact) int {
			return cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String())
		})
	}
	return all
}
