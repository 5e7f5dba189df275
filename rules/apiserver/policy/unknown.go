//go:build !js

package policy

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/kubevet/kubevet/rules/apiserver/admitted"
)

// unknowns numbers the unknown facts of one request, because the CEL interpreter
// merges unknown values by number.
type unknowns struct {
	names []string
	byID  map[string]int64
}

// value returns an unknown value for a fact.
func (u *unknowns) value(what string) *types.Unknown {
	id, ok := u.byID[what]
	if !ok {
		if u.byID == nil {
			u.byID = map[string]int64{}
		}
		u.names = append(u.names, what)
		id = int64(len(u.names))
		u.byID[what] = id
	}
	return types.NewUnknown(id, nil)
}

// factsOf returns the unknown facts on which a result depends, or nil if the
// result is known.
func (u *unknowns) factsOf(v ref.Val) []string {
	unknown, ok := v.(*types.Unknown)
	if !ok {
		return nil
	}
	var names []string
	for _, id := range unknown.IDs() {
		if id > 0 && id <= int64(len(u.names)) {
			names = append(names, u.names[id-1])
		}
	}
	slices.Sort(names)
	if names == nil {
		names = []string{"a value"}
	}
	return names
}

// mask is a tree of the unknown fields of a value.
type mask struct {
	unknown  bool
	fields   map[string]*mask
	elements *mask // mask for every item of a list and every value of a map
}

// newMask parses paths such as "metadata.uid" and "spec.volumes[*].name".
func newMask(paths []string) *mask {
	root := &mask{}
	for _, path := range paths {
		m := root
		for _, step := range admitted.Steps(path) {
			m = m.addChild(step)
		}
		m.unknown = true
	}
	return root
}

// addChild returns the mask of a field, or of all items if step is "*". If the mask
// does not exist, addChild creates it.
func (m *mask) addChild(step string) *mask {
	if step == "*" {
		if m.elements == nil {
			m.elements = &mask{}
		}
		return m.elements
	}
	next := m.fields[step]
	if next == nil {
		next = &mask{}
		if m.fields == nil {
			m.fields = map[string]*mask{}
		}
		m.fields[step] = next
	}
	return next
}

// addShape adds the inner nodes of another mask, but marks no further fields as
// unknown. To compare two values, CEL calls a method of the left value. That
// method finds unknown fields of the right value only if both values are masked
// at the same paths.
func (m *mask) addShape(other *mask) {
	if other == nil || m.unknown {
		return
	}
	for step, next := range other.fields {
		m.addChild(step).addShape(next)
	}
	if other.elements != nil {
		m.addChild("*").addShape(other.elements)
	}
}

func (m *mask) empty() bool { return m == nil || !m.unknown && m.elements == nil && len(m.fields) == 0 }

// child returns the mask of a field or an item, or nil.
func (m *mask) child(step string) *mask {
	if m == nil {
		return nil
	}
	if next := m.fields[step]; next != nil {
		return next
	}
	return m.elements
}

// masked returns v with its unknown fields replaced. path is the path of v. A
// known scalar or null is unchanged.
func masked(v ref.Val, m *mask, u *unknowns, path string) ref.Val {
	if m.empty() {
		return v
	}
	if m.unknown {
		return u.value(path)
	}
	switch v := v.(type) {
	case traits.Mapper:
		return &maskedMap{v, masking{m, u, path}}
	case traits.Lister:
		return &maskedList{v, masking{m, u, path}}
	}
	return v
}

type masking struct {
	m    *mask
	u    *unknowns
	path string
}

// maskedMap is a map with unknown fields. It does not implement traits.Mapper. If
// it did, the interpreter would not call IsSet to check whether a field is set,
// but would read the field's value.
type maskedMap struct {
	inner traits.Mapper
	masking
}

// find returns the value of a field, which may be unknown. It returns false if
// the field does not exist.
func (v *maskedMap) find(key ref.Val) (ref.Val, bool) {
	value, found := v.inner.Find(key)
	name, ok := key.(types.String)
	if !found || !ok {
		return value, found
	}
	return masked(value, v.m.child(string(name)), v.u, v.path+"."+string(name)), true
}

// Get implements traits.Indexer.
func (v *maskedMap) Get(key ref.Val) ref.Val {
	value, found := v.find(key)
	if !found {
		return types.ValOrErr(value, "no such key: %v", key)
	}
	return value
}

// IsSet implements traits.FieldTester.
func (v *maskedMap) IsSet(key ref.Val) ref.Val { return v.Contains(key) }

// Contains implements traits.Container.
func (v *maskedMap) Contains(key ref.Val) ref.Val { return v.inner.Contains(key) }

// Iterator implements traits.Iterable.
func (v *maskedMap) Iterator() traits.Iterator { return v.inner.Iterator() }

// Size implements traits.Sizer.
func (v *maskedMap) Size() ref.Val { return v.inner.Size() }

// Type implements ref.Val.
func (v *maskedMap) Type() ref.Type { return v.inner.Type() }

// Value implements ref.Val.
func (v *maskedMap) Value() any { return v.inner.Value() }

// sameContainer reports whether two maps or lists share their memory. They are then
// equal even if some fields are unknown.
func sameContainer(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Kind() != y.Kind() || x.Kind() != reflect.Map && x.Kind() != reflect.Slice {
		return false
	}
	return x.Len() == y.Len() && x.Pointer() == y.Pointer()
}

// Equal implements ref.Val. The result is unknown if only unknown fields can
// differ.
func (v *maskedMap) Equal(other ref.Val) ref.Val {
	var find func(ref.Val) (ref.Val, bool)
	var size ref.Val
	switch that := other.(type) {
	case *maskedMap:
		if sameContainer(v.Value(), that.Value()) {
			return types.True
		}
		find, size = that.find, that.Size()
	case traits.Mapper:
		find, size = that.Find, that.Size()
	default:
		return v.inner.Equal(other)
	}
	if v.Size() != size {
		return types.False
	}
	var unknown *types.Unknown
	for it := v.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		value, _ := v.find(key)
		otherValue, found := find(key)
		if !found {
			return types.False
		}
		if equal, known := equalOrUnknown(value, otherValue, &unknown); known && !equal {
			return types.False
		}
	}
	if unknown != nil {
		return unknown
	}
	return types.True
}

// equalOrUnknown compares two values. If the result is unknown, known is false,
// and the unknown value is merged into unknown.
func equalOrUnknown(a, b ref.Val, unknown **types.Unknown) (equal, known bool) {
	for _, v := range [...]ref.Val{a, b} {
		if merged, isUnknown := types.MaybeMergeUnknowns(v, *unknown); isUnknown {
			*unknown = merged
			return false, false
		}
	}
	result := types.Equal(a, b)
	if merged, isUnknown := types.MaybeMergeUnknowns(result, *unknown); isUnknown {
		*unknown = merged
		return false, false
	}
	return result == types.True, true
}

// ConvertToNative implements ref.Val. It returns an error, because a value with
// unknown parts cannot be converted.
func (v *maskedMap) ConvertToNative(reflect.Type) (any, error) { return nil, errUnknown(v.path) }

// ConvertToType implements ref.Val.
func (v *maskedMap) ConvertToType(t ref.Type) ref.Val {
	if t == types.MapType {
		return v
	}
	return v.inner.ConvertToType(t)
}

type maskedList struct {
	traits.Lister
	masking
}

// Get implements traits.Indexer.
func (v *maskedList) Get(index ref.Val) ref.Val {
	value := v.Lister.Get(index)
	if types.IsUnknownOrError(value) {
		return value
	}
	n := ""
	if i, ok := index.(types.Int); ok {
		n = strconv.FormatInt(int64(i), 10)
	}
	return masked(value, v.m.child(n), v.u, v.path+"["+n+"]")
}

// Iterator implements traits.Iterable.
func (v *maskedList) Iterator() traits.Iterator {
	size, _ := v.Size().(types.Int)
	return &listIterator{Iterator: v.Lister.Iterator(), list: v, size: size}
}

type listIterator struct {
	traits.Iterator
	list       *maskedList
	next, size types.Int
}

func (it *listIterator) HasNext() ref.Val { return types.Bool(it.next < it.size) }

func (it *listIterator) Next() ref.Val {
	it.next++
	return it.list.Get(it.next - 1)
}

// Contains implements traits.Container.
func (v *maskedList) Contains(elem ref.Val) ref.Val {
	var unknown *types.Unknown
	for it := v.Iterator(); it.HasNext() == types.True; {
		if equal, known := equalOrUnknown(it.Next(), elem, &unknown); known && equal {
			return types.True
		}
	}
	if unknown != nil {
		return unknown
	}
	return types.False
}

// Add implements traits.Adder.
func (v *maskedList) Add(other ref.Val) ref.Val {
	that, ok := other.(traits.Lister)
	if !ok {
		return v.Lister.Add(other)
	}
	var all []ref.Val
	for _, list := range [...]traits.Lister{v, that} {
		for it := list.Iterator(); it.HasNext() == types.True; {
			all = append(all, it.Next())
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, all)
}

// Equal implements ref.Val.
func (v *maskedList) Equal(other ref.Val) ref.Val {
	that, ok := other.(traits.Lister)
	if !ok {
		return v.Lister.Equal(other)
	}
	if masked, ok := other.(*maskedList); ok && sameContainer(v.Value(), masked.Value()) {
		return types.True
	}
	size, _ := v.Size().(types.Int)
	if size != that.Size() {
		return types.False
	}
	var unknown *types.Unknown
	for i := range size {
		if equal, known := equalOrUnknown(v.Get(i), that.Get(i), &unknown); known && !equal {
			return types.False
		}
	}
	if unknown != nil {
		return unknown
	}
	return types.True
}

// ConvertToNative implements ref.Val.
func (v *maskedList) ConvertToNative(reflect.Type) (any, error) { return nil, errUnknown(v.path) }

// ConvertToType implements ref.Val.
func (v *maskedList) ConvertToType(t ref.Type) ref.Val {
	if t == types.ListType {
		return v
	}
	return v.Lister.ConvertToType(t)
}

// errUnknown is the error of an operation that needs an unknown value. The string
// is the path of the value.
type errUnknown string

func (e errUnknown) Error() string { return string(e) + " is not known" }
