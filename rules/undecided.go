package rules

import (
	"cmp"
	"slices"
	"strings"
)

// Undecided has the parts of a server's answers that are unknown, because they
// depend on facts such as the user who applies an object. There are no findings
// about these parts. The zero value is empty.
type Undecided struct {
	// Objects is the number of objects for which a part of the answer is unknown.
	Objects int `json:"objects"`
	// Reasons are the unknown facts, at most MaxUndecidedReasons. During a run
	// they are sorted by text, in a report by frequency.
	Reasons []UndecidedReason `json:"reasons"`
	// Others is the number of reasons that are not in Reasons, for all objects
	// together.
	Others int `json:"others"`
}

// UndecidedReason is one unknown fact.
type UndecidedReason struct {
	// What consists of the name of a policy or definition, a colon and the unknown
	// fact.
	What string `json:"what"`
	// Objects is the number of objects whose answer depends on the fact.
	Objects int `json:"objects"`
}

// MaxUndecidedReasons is the maximum length of Undecided.Reasons.
const MaxUndecidedReasons = 1000

// maxReasonText is the maximum length of a reason in bytes. A reason has object
// names of at most 253 bytes and parts of expressions.
const maxReasonText = 1024

// Count counts an object and its reasons, which must be distinct. If there is no
// reason, it does nothing.
func (u *Undecided) Count(reasons []string) {
	if len(reasons) == 0 {
		return
	}
	u.Objects++
	for _, reason := range reasons {
		u.reason(reason, 1)
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

// Add adds the objects and reasons of another part of the same run.
func (u *Undecided) Add(o *Undecided) {
	u.Objects += o.Objects
	u.Others += o.Others
	for i := range o.Reasons {
		u.reason(o.Reasons[i].What, o.Reasons[i].Objects)
	}
}

// MostFrequent returns a new list of the reasons, the most frequent first. It is
// never nil.
func (u *Undecided) MostFrequent() []UndecidedReason {
	all := append([]UndecidedReason{}, u.Reasons...)
	slices.SortStableFunc(all, func(a, b UndecidedReason) int { return cmp.Compare(b.Objects, a.Objects) })
	return all
}
