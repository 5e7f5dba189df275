package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
)

// absence returns the sentence before the list of unused APIs.
func (r *Report) absence() string {
	if r.Summary.Removed == 0 {
		return "The releases on the way remove no API."
	}
	var looked []string
	for _, s := range r.Sources {
		if s.Given {
			looked = append(looked, cmp.Or(sourceNames[s.Kind], s.Kind))
		}
	}
	removed := report.Count(r.Summary.Removed, "API")
	if len(r.NoEvidence) == 0 {
		return fmt.Sprintf("The releases on the way remove %s. %s in use.", removed, verb(r.Summary.Removed, "It is", "All of them are"))
	}
	which := fmt.Sprintf("%d of them %s not seen", len(r.NoEvidence), verb(len(r.NoEvidence), "was", "were"))
	switch {
	case r.Summary.Removed == 1:
		which = "It was not seen"
	case len(r.NoEvidence) == r.Summary.Removed:
		which = "None of them was seen"
	}
	text := fmt.Sprintf("The releases on the way remove %s. %s in the %s given", removed, which, enumerate(looked))
	if r.Summary.Incomplete {
		text += ", as far as they could be read"
	}
	text += "."
	if slices.ContainsFunc(r.Sources, func(s Source) bool { return len(s.Gaps) > 0 }) {
		text += " This proves little where the evidence has gaps."
	}
	return text
}

// sourceNames has the texts for sources. Other kinds of sources are printed as they are.
var sourceNames = map[string]string{"audit": "audit logs", "code": "Go code"}

// enumerate returns a text such as "a, b and c".
func enumerate(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Absent has the unused APIs that one release removes.
type Absent struct {
	Release string
	// APIs has a text for each API version, with its kinds. A note says if the kinds are
	// off by default.
	APIs []string
}

func (r *Report) absent(all bool) (lines []Absent) {
	for i := 0; i < len(r.NoEvidence); {
		a := r.NoEvidence[i]
		if a.OffByDefault && !all {
			i++
			continue
		}
		var kinds []string
		j := i
		for ; j < len(r.NoEvidence) && r.NoEvidence[j].RemovedIn == a.RemovedIn && r.NoEvidence[j].APIVersion == a.APIVersion && r.NoEvidence[j].OffByDefault == a.OffByDefault; j++ {
			kinds = append(kinds, r.NoEvidence[j].Kind)
		}
		i = j
		text := a.APIVersion + " " + strings.Join(kinds, " and ")
		if len(kinds) > 2 {
			text = a.APIVersion + " " + strings.Join(kinds[:len(kinds)-1], " ") + " and " + kinds[len(kinds)-1]
		}
		if a.OffByDefault {
			text += " (off by default)"
		}
		if n := len(lines); n > 0 && lines[n-1].Release == a.RemovedIn {
			lines[n-1].APIs = append(lines[n-1].APIs, text)
		} else {
			lines = append(lines, Absent{a.RemovedIn, []string{text}})
		}
	}
	return lines
}

// countOffByDefault returns the number of unused APIs that are off by default.
func (r *Report) countOffByDefault() (n int) {
	for _, a := range r.NoEvidence {
		if a.OffByDefault {
			n++
		}
	}
	return n
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
