package analyzers_test

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/packages"
)

// missing returns lists of packages that can be missing: each package that the tests
// import, and all packages of each module.
func (b *broken) missing() (names []string, lists map[string][]string) {
	lists = map[string][]string{}
	packages.Visit(b.packages, nil, func(p *packages.Package) {
		if p.Module != nil && !p.Module.Main {
			lists[p.PkgPath] = []string{p.PkgPath}
			lists["module "+p.Module.Path] = append(lists["module "+p.Module.Path], p.PkgPath)
		}
	})
	return slices.Sorted(maps.Keys(lists)), lists
}

// TestMissingImport analyses the packages of the analyzers' tests as if all packages of one
// module, or every tenth package, could not be loaded. No analyzer may report more
// than it reports if nothing is missing. FuzzMissingImport does this for all packages.
func TestMissingImport(t *testing.T) {
	b, err := loadBroken()
	if err != nil {
		t.Fatal(err)
	}
	names, lists := b.missing()
	lost, all := 0, 0
	for i, name := range names {
		if strings.HasPrefix(name, "module ") || i%10 == 0 {
			l, a := b.without(t, name, lists[name])
			lost, all = lost+l, all+a
		}
	}
	t.Logf("%d of %d findings are lost", lost, all)
}

func FuzzMissingImport(f *testing.F) {
	b, err := loadBroken()
	if err != nil {
		f.Fatal(err)
	}
	names, lists := b.missing()
	f.Fuzz(func(t *testing.T, n uint16) {
		name := names[int(n)%len(names)]
		b.without(t, name, lists[name])
	})
}

// TestMissingKind analyses a package as if its log could not be loaded. Objects whose kinds
// are then not known may be reviews.
func TestMissingKind(t *testing.T) {
	b, err := loadBroken()
	if err != nil {
		t.Fatal(err)
	}
	_, lists := b.missing()
	found := map[string]map[string][]string{}
	b.checkWithout(t, "klog", lists["k8s.io/klog/v2"], func(p *packages.Package, f map[string][]string) { found[p.Name] = f })
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(found["unknownkind"])), func(at string) bool { return strings.HasSuffix(at, ": dryrun") })
	if want := []string{"unknownkind.go:75:19: webhookdryrun"}; !slices.Equal(list, want) {
		t.Errorf("found %q, want %q", list, want)
	}
}

// without compares the findings in all packages that need one of the missing packages. It
// returns the number of findings that are lost, and of all findings in these packages.
func (b *broken) without(t *testing.T, name string, missing []string) (lost, all int) {
	b.checkWithout(t, name, missing, func(p *packages.Package, found map[string][]string) {
		for at := range found {
			if isNew(at, b.found[p]) {
				t.Errorf("%s without %s: new finding %s", p.PkgPath, name, at)
			}
		}
		for at := range b.found[p] {
			all++
			if found[at] == nil {
				lost++
			}
		}
	})
	return lost, all
}

// checkWithout type-checks and analyses all packages that need one of the missing packages.
// It calls report with the findings in each package.
func (b *broken) checkWithout(t *testing.T, name string, missing []string, report func(*packages.Package, map[string][]string)) {
	checked := map[*packages.Package]*types.Package{}
	packages.Visit(b.packages, nil, func(p *packages.Package) {
		if slices.Contains(missing, p.PkgPath) {
			checked[p] = nil
			return
		}
		changed := false
		for _, d := range p.Imports {
			_, ok := checked[d]
			changed = changed || ok
		}
		if !changed {
			return
		}
		info := unit.NewInfo()
		var errs []types.Error
		conf := types.Config{
			Importer: missingImporter{p, checked},
			Error:    func(err error) { errs = append(errs, err.(types.Error)) },
		}
		checked[p], _ = conf.Check(p.PkgPath, p.Fset, p.Syntax, info)
		if b.found[p] == nil {
			return
		}
		found, err := findIn(b, p.Fset, p.Syntax, checked[p], info, errs)
		if err != nil {
			t.Fatalf("%s without %s: %v", p.PkgPath, name, err)
		}
		report(p, found)
	})
}

// missingImporter returns the imports of a package that are not missing.
type missingImporter struct {
	p       *packages.Package
	checked map[*packages.Package]*types.Package
}

func (i missingImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	d := i.p.Imports[path]
	if d == nil {
		return nil, fmt.Errorf("no package %s", path)
	}
	if p, ok := i.checked[d]; ok {
		if p == nil {
			return nil, fmt.Errorf("package %s is missing", path)
		}
		return p, nil
	}
	return d.Types, nil
}

// isNew reports whether a finding differs from all findings of the complete package, and is
// at a place to which none of them refers.
func isNew(at string, complete map[string][]string) bool {
	switch line, rule, _ := strings.Cut(at, ": "); rule {
	case "dryrun":
		return false // dryrun reports every write that it cannot see to be guarded
	case "removedapi", "deprecatedapi":
		// Only the first use of a kind is reported.
		for place := range complete {
			if strings.HasSuffix(place, ": "+rule) {
				return false
			}
		}
		return true
	case "fieldmanager":
		return !slices.ContainsFunc(slices.Collect(maps.Keys(complete)), func(place string) bool { return strings.HasSuffix(place, ": fieldmanager") })
	default:
		for _, places := range complete {
			if slices.ContainsFunc(places, func(place string) bool { return strings.HasPrefix(place, line+": ") }) {
				return false
			}
		}
		return true
	}
}
