package oracle

import (
	"regexp"
	"slices"
	"strings"
)

// Seen is the part of an answer that must be equal in two answers to one case.
type Seen struct {
	Code     int
	Message  string
	Warnings []string
	Causes   []Cause
}

// Comparable returns the part of an answer that is the same in every run of a release. It
// blanks identities, times and memory addresses. It sorts what the server lists in the
// random order of a Go map:
//
//   - warnings about labels of a node selector, or about formats of a schema
//   - causes that name the same field
//
// A message that lists several causes is omitted.
func Comparable(a *Answer) Seen {
	s := Seen{Code: a.Code, Message: Blank(a.Message), Warnings: ComparableTexts(a.Texts()), Causes: slices.Clone(a.Causes)}
	for i := range s.Causes {
		s.Causes[i].Message = Blank(s.Causes[i].Message)
	}
	if len(s.Causes) > 1 {
		s.Message = ""
	}
	for i := 0; i < len(s.Causes); {
		end := i + 1
		for end < len(s.Causes) && s.Causes[end].Field == s.Causes[i].Field {
			end++
		}
		slices.SortFunc(s.Causes[i:end], func(a, b Cause) int { return strings.Compare(a.Message, b.Message) })
		i = end
	}
	return s
}

// ComparableTexts changes the texts of warnings as Comparable does.
func ComparableTexts(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, text := range texts {
		all = append(all, Blank(text))
	}
	for i := 0; i < len(all); i++ {
		end := i
		for end < len(all) && ofMap.MatchString(all[end]) {
			end++
		}
		slices.Sort(all[i:end])
		i = end
	}
	return all
}

// Blank replaces the parts of a text that differ in each run: UIDs, times and
// addresses.
func Blank(text string) string {
	text = identity.ReplaceAllString(text, "UID")
	text = instant.ReplaceAllString(text, "TIME")
	text = port.ReplaceAllString(text, "127.0.0.1:PORT")
	text = version.ReplaceAllString(text, "resourceVersion:VERSION")
	return address.ReplaceAllString(text, "0x0")
}

var (
	identity = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	instant  = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4} [A-Z]+( m=[+-][0-9.]+)?|Z)?`)
	address  = regexp.MustCompile(`0x[0-9a-f]+`)
	port     = regexp.MustCompile(`127\.0\.0\.1:\d{4,}`)
	version  = regexp.MustCompile(`resourceVersion:\d+`)
	ofMap    = regexp.MustCompile(`(nodeSelector(\[[^]]*\])?|matchLabels\.[^:]*): deprecated since|^unrecognized format "`)
)
