package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// yieldings finds the fields that get a fixed value because dry run is asked for: "if
// o.dryRun { o.install = false }". Conditions on them depend on the wish. How they do
// is not followed, because other code may come between.
func (s *state) yieldings() {
	found := map[*types.Var]bool{}
	for v, stores := range s.stores {
		if s.wishes.of(v).ok {
			continue
		}
		for _, st := range stores {
			if c, ok := st.Val.(*ssa.Const); !ok || c.Value == nil || s.inTest(st.Parent()) {
				continue
			}
			if s.knowsHere(st.Parent()) && s.onlyIfAsked(st, Client) {
				found[v] = true
				break
			}
		}
	}
	if len(found) == 0 {
		return
	}
	// The results so far did not take these fields into account.
	s.yielding = found
	s.forget()
}

// knowsHere is a cheap look at whether a function can branch on the wish.
func (s *state) knowsHere(fn *ssa.Function) bool {
	for f := fn; f != nil; f = f.Parent() {
		if s.looks(f) {
			return true
		}
	}
	return false
}

// forget drops the results about the flow of functions.
func (s *state) forget() {
	s.flows = map[flowKey]*flow{}
	s.reaches = map[flowKey][]Reach{}
	s.results = map[resultKey]value{}
	s.params = map[paramKey]value{}
}
