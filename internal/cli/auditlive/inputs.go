package auditlive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// inputs has the names of the logs so far, to count them. If there are more than
// maxInputs, it drops the name that was used least recently. The zero value is empty.
type inputs struct {
	lastUse map[string]int64 // by name: value of uses after the last use
	uses    int64
	// dropped is the number of dropped names, and last the last of them.
	dropped int64
	last    string
}

const maxInputs = 4096

// add adds a name and reports whether it is new.
func (s *inputs) add(name string) bool {
	_, known := s.lastUse[name]
	if !known && len(s.lastUse) >= maxInputs {
		oldest := s.uses + 1
		for name, use := range s.lastUse {
			if use < oldest {
				oldest, s.last = use, name
			}
		}
		delete(s.lastUse, s.last)
		s.dropped++
	}
	if s.lastUse == nil {
		s.lastUse = map[string]int64{}
	}
	s.uses++
	s.lastUse[name] = s.uses
	return !known
}

// names returns the names in alphabetical order.
func (s *inputs) names() []string { return slices.Sorted(maps.Keys(s.lastUse)) }

// note returns a note about dropped names, or "".
func (s *inputs) note() string {
	if s.dropped == 0 {
		return ""
	}
	return fmt.Sprintf("the names of %s were dropped to bound memory, the last one %s: if one of these is read again, it counts as another log",
		report.Count(s.dropped, "log"), quote.Name(s.last))
}
