package unit

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// record is a fact in encoded form.
type record struct {
	Package string
	Object  objectpath.Path // empty for a fact about the package
	Fact    analysis.Fact
}

// Register registers the fact types of analyzers and of the analyzers that they require.
// A program must call it once before Encode or Decode.
func Register(analyzers []*analysis.Analyzer) {
	for _, a := range Order(analyzers) {
		for _, f := range a.FactTypes {
			gob.Register(f)
		}
	}
}

// Encode encodes the facts that the importers of p can use: the facts of p, and the facts
// about fields, methods and types of other packages that p exposes. Facts about objects
// that are declared in functions are left out. Without facts, the result is empty.
func (f *Facts) Encode(p *types.Package) ([]byte, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var records []record
	var paths objectpath.Encoder
	for of, facts := range f.packages {
		for k, fact := range facts {
			r := record{Package: of.Path(), Fact: fact}
			if of != p && !reachable(k.object) {
				continue
			}
			if k.object != nil {
				path, err := paths.For(k.object)
				if err != nil {
					continue
				}
				r.Object = path
			}
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		return nil, nil
	}
	slices.SortFunc(records, func(x, y record) int {
		return cmp.Or(
			cmp.Compare(x.Package, y.Package),
			cmp.Compare(x.Object, y.Object),
			cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()),
		)
	})
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(records); err != nil {
		return nil, fmt.Errorf("encoding the facts of %s: %w", p.Path(), err)
	}
	return out.Bytes(), nil
}

// reachable reports whether an object can be used in packages that do not import the
// object's package.
func reachable(o types.Object) bool {
	if o == nil {
		return false
	}
	if _, ok := o.(*types.TypeName); ok {
		return true
	}
	return o.Parent() != o.Pkg().Scope()
}

// Decode adds the facts in the output of Encode. find returns the package with a path.
// Facts about unknown packages and objects are ignored.
func (f *Facts) Decode(data []byte, find func(path string) *types.Package) error {
	if len(data) == 0 {
		return nil
	}
	var records []record
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&records); err != nil {
		return fmt.Errorf("decoding facts: %w", err)
	}
	for _, r := range records {
		p := find(r.Package)
		if p == nil {
			continue
		}
		k := key{kind: reflect.TypeOf(r.Fact)}
		if r.Object != "" {
			o, err := objectpath.Object(p, r.Object)
			if err != nil {
				continue
			}
			k.object = o
		}
		f.set(p, k, r.Fact)
	}
	return nil
}
