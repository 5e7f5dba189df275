package main

import (
	"fmt"
	"io"
	"strings"
)

// placeFiles has the files with known places. One is about rules for writes, the other
// about uses of deprecated and removed APIs.
var placeFiles = []string{"testdata/labels/places.jsonl", "testdata/labels/places-deprecated.jsonl"}

// places reads all known places.
func places() ([]spot, error) {
	var all []spot
	for _, name := range placeFiles {
		spots, err := readLines[spot](name)
		if err != nil {
			return nil, err
		}
		all = append(all, spots...)
	}
	return all, nil
}

// checkPlaces prints a table of known places, and whether the results there are as
// expected. It returns an error if a place has a wrong result, its package was loaded,
// and it is not marked as hard.
func checkPlaces(got map[string]*measurement, w io.Writer) error {
	spots, err := places()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "| module | place | expected | known since | result |\n|---|---|---|---|---|\n")
	bad, good, unloaded, hard := 0, 0, 0, 0
	for _, s := range spots {
		result := ""
		switch m := got[s.Module]; {
		case m == nil || !m.loaded(s.At):
			result = "not loaded"
			unloaded++
		case m.meets(s):
			result = "as expected"
			good++
		case s.Hard:
			result = "missed, and hard: " + s.Why
			hard++
		default:
			result = "**not as expected**: " + s.Why
			bad++
		}
		expect := s.Expect
		if s.Rule != "" {
			expect += " " + s.Rule
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", s.Module, s.At, strings.ReplaceAll(expect, "|", " or "), s.Source, result)
	}
	fmt.Fprintf(w, "\n%d as expected, %d not, %d hard ones missed, %d not loaded.\n", good, bad, hard, unloaded)
	if bad > 0 {
		return fmt.Errorf("%d places are not as expected", bad)
	}
	return nil
}

// loaded reports whether the package of a place was analysed. It returns true if a
// package of the module was analysed, and no failure names the package of the place.
func (m *measurement) loaded(at string) bool {
	if m.Packages == 0 {
		return false
	}
	folder := at
	if f, ok := strings.CutSuffix(at, "/**"); ok {
		folder = f
	} else if i := strings.LastIndex(at, "/"); i >= 0 {
		folder = at[:i]
	}
	for _, failure := range m.Failures {
		pkg, _, _ := strings.Cut(failure, ": ")
		if strings.HasSuffix(pkg, "/"+folder) {
			return false
		}
	}
	return true
}

// meets reports whether the findings at a place are as expected. At a place that should
// be silent, two kinds of findings are allowed. The first is a finding elsewhere that
// mentions the place. The second is a finding about the client that is created at the
// place, if the place is about another rule.
func (m *measurement) meets(s spot) bool {
	for _, f := range m.Findings {
		switch {
		case s.Expect == "flag":
			if contains(s.Rule, f.Rule) && f.about(append([]string{s.At}, s.Also...)...) {
				return true
			}
		case !f.Default || !covers(s.At, f.At):
		case s.Rule == "" && f.Rule != "fieldmanager", s.Rule != "" && contains(s.Rule, f.Rule):
			return false
		}
	}
	return s.Expect == "silent"
}

// contains reports whether rules, a list with bars, has the rule.
func contains(rules, rule string) bool {
	for r := range strings.SplitSeq(rules, "|") {
		if r == rule {
			return true
		}
	}
	return false
}
