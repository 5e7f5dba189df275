package report_test

import (
	"encoding/xml"
	"testing"
)

// suites has the parts of a JUnit report that CI systems read.
type suites struct {
	Suites []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string     `xml:"name,attr"`
			Class   string     `xml:"classname,attr"`
			Failure *struct{}  `xml:"failure"`
			Error   *struct{}  `xml:"error"`
			Skipped *struct{}  `xml:"skipped"`
			Rest    []xml.Name `xml:",any"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnitCounts(t *testing.T) {
	for name, r := range runs() {
		var doc suites
		if err := xml.Unmarshal(render(t, "junit", r, options()), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		total, failed := 0, 0
		for _, s := range doc.Suites {
			failures, errs, skipped := 0, 0, 0
			seen := map[string]bool{}
			for _, c := range s.Cases {
				if seen[c.Name] {
					t.Errorf("%s: suite %s has two tests %s", name, s.Name, c.Name)
				}
				seen[c.Name] = true
				if c.Failure != nil {
					failures++
				}
				if c.Error != nil {
					errs++
				}
				if c.Skipped != nil {
					skipped++
				}
			}
			if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errs || s.Skipped != skipped {
				t.Errorf("%s: suite %s counts %d/%d/%d/%d, has %d/%d/%d/%d", name, s.Name,
					s.Tests, s.Failures, s.Errors, s.Skipped, len(s.Cases), failures, errs, skipped)
			}
			total += s.Tests
			failed += failures
		}
		if failed != len(r.findings) {
			t.Errorf("%s: %d failures, want %d", name, failed, len(r.findings))
		}
		if total == 0 {
			t.Errorf("%s: no tests", name)
		}
	}
}
