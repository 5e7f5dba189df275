package rules

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Unchecked has the objects that were not checked because there is no schema for
// their kind, neither in Kubernetes nor in a custom resource definition. The zero
// value is empty.
type Unchecked struct {
	// Objects is the number of all such objects.
	Objects int `json:"objects"`
	// Kinds are the kinds of these objects, at most MaxUncheckedKinds. During a
	// run they are sorted by API version and kind, in a report by frequency.
	Kinds []UncheckedKind `json:"kinds"`
	// Others is the number of objects whose kind is not in Kinds.
	Others int `json:"others"`
}

// UncheckedKind is one kind without a schema.
type UncheckedKind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Objects is the number of objects of the kind.
	Objects int `json:"objects"`
	// Places are the places of the objects. Only the first MaxListed objects of
	// all kinds together have places.
	Places []Place `json:"places"`
}

// Place is the position of the field kind in an object.
type Place struct {
	File string `json:"file"`
	// Document is the 0-based index of the document.
	Document int `json:"document"`
	// Line and Column count from 1, Column in Unicode code points. Both are 0 for
	// an object in a stored Helm release, because its text is not in the file.
	Line   int `json:"line"`
	Column int `json:"column"`
}

// MaxUncheckedKinds is the maximum length of Unchecked.Kinds.
const MaxUncheckedKinds = 1000

// maxKindText is the maximum length in bytes of a kind or an API version in the
// list. Real names are much shorter.
const maxKindText = 512

// Count counts an object without a schema.
func (u *Unchecked) Count(apiVersion, kind string, at Place) {
	u.Objects++
	k := u.kind(apiVersion, kind)
	if k == nil {
		u.Others++
		return
	}
	k.Objects++
	if u.Objects <= MaxListed {
		k.Places = append(k.Places, at)
	}
}

// kind returns the entry of a kind, and adds it if it does not exist. It returns
// nil if there are too many kinds.
func (u *Unchecked) kind(apiVersion, kind string) *UncheckedKind {
	i, found := slices.BinarySearchFunc(u.Kinds, UncheckedKind{APIVersion: apiVersion, Kind: kind}, func(a, b UncheckedKind) int {
		return cmp.Or(strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Kind, b.Kind))
	})
	if !found {
		if len(u.Kinds) >= MaxUncheckedKinds || len(apiVersion) > maxKindText || len(kind) > maxKindText {
			return nil
		}
		// A substring would keep the whole document in memory.
		u.Kinds = slices.Insert(u.Kinds, i, UncheckedKind{APIVersion: strings.Clone(apiVersion), Kind: strings.Clone(kind)})
	}
	return &u.Kinds[i]
}

// Places yields pointers to all places, so that the caller can change them.
func (u *Unchecked) Places() iter.Seq[*Place] {
	return func(yield func(*Place) bool) {
		for i := range u.Kinds {
			for j := range u.Kinds[i].Places {
				if !yield(&u.Kinds[i].Places[j]) {
					return
				}
			}
		}
	}
}

// Add adds the objects of another part of the same run.
func (u *Unchecked) Add(o *Unchecked) {
	capacity := max(0, MaxListed-u.Objects)
	u.Objects += o.Objects
	u.Others += o.Others
	for i := range o.Kinds {
		from := &o.Kinds[i]
		k := u.kind(from.APIVersion, from.Kind)
		if k == nil {
			u.Others += from.Objects
			continue
		}
		k.Objects += from.Objects
		places := from.Places[:min(len(from.Places), capacity)]
		k.Places = append(k.Places, places...)
		capacity -= len(places)
	}
}

// MostFrequent returns a new list of the kinds, the most frequent first. It is
// never nil.
func (u *Unchecked) MostFrequent() []UncheckedKind {
	kinds := append([]UncheckedKind{}, u.Kinds...)
	slices.SortStableFunc(kinds, func(a, b UncheckedKind) int { return cmp.Compare(b.Objects, a.Objects) })
	return kinds
}
