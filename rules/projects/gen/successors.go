package main

import "fmt"

// successor is a kind that took the place of another one.
type successor struct {
	from, to kindKey
	// source says where the project says so.
	source string
}

// successors is hand-written: no definition says what took its place.
var successors = []successor{}

// addSuccessors adds the successors to the kinds. A table of a single project
// is not complete, and may lack either kind.
func (t *table) addSuccessors(kinds map[kindKey]*kind, complete bool) error {
	for i, s := range successors {
		from, to := kinds[s.from], kinds[s.to]
		if from == nil || to == nil {
			if complete {
				return fmt.Errorf("successor of %s %s: %s %s: not in the table", s.from.group, s.from.kind, s.to.group, s.to.kind)
			}
			continue
		}
		from.successor = &successors[i]
	}
	return nil
}
