package apiserver

import (
	"os"
	"strings"
	"testing"
)

// TestChecklist checks that README.md lists each function of Kubernetes that
// returns warnings. The function's row names the upstream file and the code of
// kubevet.
func TestChecklist(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("testdata/warning-functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	type function struct{ file, name string }
	rows := map[function]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || !strings.HasPrefix(line, "| `") {
			continue
		}
		if strings.Trim(cells[3], " |\n") == "" {
			t.Errorf("says nothing: %s", line)
		}
		file := strings.Trim(cells[0], "| `")
		for name := range strings.SplitSeq(cells[1], ", ") {
			f := function{file, strings.Trim(name, "`")}
			if rows[f] {
				t.Errorf("%s of %s has two rows", f.name, f.file)
			}
			rows[f] = true
		}
	}
	for line := range strings.Lines(string(list)) {
		f, ok := strings.CutPrefix(line, "#")
		if ok || strings.TrimSpace(f) == "" {
			continue
		}
		words := strings.Fields(line)
		if len(words) != 3 {
			t.Errorf("not a function: %s", line)
			continue
		}
		if key := (function{words[0], words[1]}); !rows[key] {
			t.Errorf("README.md has no row for %s of %s", key.name, key.file)
		} else {
			delete(rows, key)
		}
	}
	for f := range rows {
		t.Errorf("README.md has %s of %s, which makes no warning", f.name, f.file)
	}
}
