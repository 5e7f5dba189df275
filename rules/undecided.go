package rules

import (
	"cmp"
	"slices"
	"strings"
)

// Undecided counts parts of a server's answers that depend on unknown facts, such as
// the user who applies an object. Findings leave them out. The zero value is empty.
type Undecided struct {
	// Objects counts the objects with such an answer.
	Objects int `json:"objects"`
	// Reasons are the unknown facts, at most MaxUndecidedReasons. During a run they are
	// sorted by text, in a report by frequency.
	Reasons []UndecidedReason `json:"reasons"`
	// Others counts the answers whose reason is not in Reasons.
	Others int `json:"others"`
}

// UndecidedReason is one unknown fact.
type UndecidedReason struct {
	// What names a policy or a definition, and after a colon what is unknown.
	What string `json:"what"`
	// Objects counts the objects whose answer depends on it.
	Objects int `json:"objects"`
}

// MaxUndecidedReasons bounds Undecided.Reasons.
const MaxUndecidedReasons = 1000

// maxReasonText bounds a reason in bytes. It has names of objects, which are at
// most 253 bytes, and parts of expressions.
const maxReasonText = 1024

// Count counts an object with its distinct reasons. Without a reason it counts nothing.
func (u *Undecided) Count(reasons []string) {
	if len(reasons) == 0 {
		return
	}
	u.Objects++
	for _, what := range reasons {
		u.reason(what, 1)
	}
}

func (u *Undecided) reason(what string, n int) {
	i, found := slices.BinarySearchFunc(u.Reasons, what, func(r UndecidedReason, what string) int { return strings.Compare(r.What, what) })
	if !found {
		if len(u.Reasons) >= MaxUndecidedReasons || len(what) > maxReasonText {
			u.Others += n
			return
		}
		u.Reasons = slices.Insert(u.Reasons, i, UndecidedReason{What: strings.Clone(what)})
	}
	u.Reasons[i].Objects += n
}

// Add adds the answers of another part of the same run.
func (u *Undecided) Add(o *Undecided) {
	u.Objects += o.Objects
	u.Others += o.Others
	for i := range o.Reasons {
		u.reason(o.Reasons[i].What, o.Reasons[i].Objects)
	}
}

// MostFrequent returns the reasons with the most frequent first, in a new list
// that is not nil.
func (u *Undecided) MostFrequent() []UndecidedReason {
	all := append([]UndecidedReason{}, u.Reasons...)
	slices.SortStableFunc(all, func(a, b UndecidedReason) int { return cmp.Compare(b.Objects, a.Objects) })
	return all
}
