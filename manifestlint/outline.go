package manifestlint

import "slices"

// outline is what a skimmer leaves out of a tree that it makes: the values of
// fields of some names, anywhere but in flow collections. Such a field is null,
// and what stands below it is skimmed, but nothing is made of it.
type outline struct {
	names []string
	b     *builder // the builder, while it is left out
	depth int      // how many levels are open where the field stands
}

// pause begins to leave out, where a field is one that is left out.
func (s *skimmer) pause(key []byte) {
	if slices.Contains(s.leave.names, string(key)) {
		s.leave.b, s.leave.depth = s.b, len(s.levels)
		s.b = nil
	}
}

// resume goes on with the tree on a line that begins a field or an item beside
// or around the one that is left out.
func (s *skimmer) resume() {
	if s.leave.b == nil || len(s.levels) > s.leave.depth {
		return
	}
	s.b, s.leave.b = s.leave.b, nil
	s.b.close(len(s.levels))
	s.b.line, s.b.number = s.text, s.line
}
