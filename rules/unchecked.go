package rules

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Unchecked lists the objects that were not checked because nothing has a schema
// of their kind: neither Kubernetes nor a custom resource definition. The zero
// value is empty.
type Unchecked struct {
	// Objects counts all of them.
	Objects int `json:"objects"`
	// Kinds are their kinds, at most MaxUncheckedKinds. During a run they are
	// sorted by API version and kind, in a report by frequency.
	Kinds []UncheckedKind `json:"kinds"`
	// Others counts the objects of kinds that are not in Kinds.
	Others int `json:"others"`
}

// UncheckedKind is one kind without a schema.
type UncheckedKind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Objects counts the objects of the kind.
	Objects int `json:"objects"`
	// Places are the places of its objects, as far as they are among the first
	// MaxListed objects of all kinds.
	Places []Place `json:"places"`
}

// Place is the place of an object's kind.
type Place struct {
	File string `json:"file"`
	// Document is the 0-based index of its document.
	Document int `json:"document"`
	// Line and Column count from 1, the column in Unicode code points. They are 0
	// in a stored Helm release, whose text is not in the file.
	Line   int `json:"line"`
	Column int `json:"column"`
}

// MaxUncheckedKinds bounds Unchecked.Kinds.
const MaxUncheckedKinds = 1000

// maxKindText bounds the text of a kind and of an API version in the list. Real
// ones are much shorter.
const maxKindText = 512

// Count counts an object.
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

// kind returns the entry of a kind, which it adds if there is none; nil if there
// are too many kinds.
func (u *Unchecked) kind(apiVersion, kind string) *UncheckedKind {
	i, found := slices.BinarySearchFunc(u.Kinds, UncheckedKind{APIVersion: apiVersion, Kind: kind}, func(a, b UncheckedKind) int {
		return cmp.Or(strings.Compare(a.APIVersion, b.APIVersion), strings.Compare(a.Kind, b.Kind))
	})
	if !found {
		if len(u.Kinds) >= MaxUncheckedKinds || len(apiVersion) > maxKindText || len(kind) > maxKindText {
			return nil
		}
		// The text may be part of a document, which must not stay in memory.
		u.Kinds = slices.Insert(u.Kinds, i, UncheckedKind{APIVersion: strings.Clone(apiVersion), Kind: strings.Clone(kind)})
	}
	return &u.Kinds[i]
}

// Places yields the places, which may be changed.
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

// MostFrequent returns the kinds with the most frequent first, in a new list that
// is not nil.
func (u *Unchecked) MostFrequent() []UncheckedKind {
	kinds := append([]UncheckedKind{}, u.Kinds...)
	slices.SortStableFunc(kinds, func(a, b UncheckedKind) int { return cmp.Compare(b.Objects, a.Objects) })
	return kinds
}
