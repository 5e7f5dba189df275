package manifestlint

import "slices"

// outline is what a skimmer leaves out of a tree that it makes: the values of
// fields of some names, anywhere but in flow collections. Such a field is null,
// and what stands below it is skimmed, but nothing is made of it.
type outline struct {
	names  []string
	b      *builder // the builder, while it is left out
	depth  int      // how many levels are open where the field stands
	column int      // of the field
}

// pause begins to leave out, where a field is one that is left out.
func (s *skimmer) pause(key []byte) {
	if slices.Contains(s.leave.names, string(key)) {
		s.leave.b, s.leave.depth, s.leave.column = s.b, len(s.levels), int(s.top().indent)
		s.b = nil
	}
}

// passOver goes on to the first line that may not be a part of what is left out:
// those before it are blank or indented further than the field. They are known
// to be regular, so that nothing of them need be read.
func (s *skimmer) passOver() {
	for s.pos < len(s.doc) {
		line := s.doc[s.pos:]
		n := 0
		for n < len(line) && n <= s.leave.column && line[n] == ' ' {
			n++
		}
		if n <= s.leave.column && n < len(line) && line[n] != '\n' && line[n] != '\r' {
			return
		}
		s.pos += lineEnd(line, n)
		s.line++
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
