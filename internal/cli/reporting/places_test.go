package reporting

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name   string
		counts map[string]int // number of findings by file
		want   []string
	}{
		{"few findings", map[string]int{"a/testdata/x.yaml": 50}, nil},
		{"a name that says it", map[string]int{"a/testdata/x.yaml": 30, "b/c/testdata/d/x.yaml": 30, "deploy/x.yaml": 5}, []string{
			"60 of 65 findings are below directories named testdata; leave them out with --exclude testdata",
		}},
		{"the outermost name", map[string]int{"vendor/a/testdata/x.yaml": 51}, []string{
			"51 of 51 findings are below directories named vendor; leave them out with --exclude vendor",
		}},
		{"a directory with nearly all", map[string]int{"hack/invalid/a/x.yaml": 30, "hack/invalid/b/x.yaml": 21, "conformance/x.yaml": 9}, []string{
			"51 of 60 findings are below hack/invalid; leave them out with --exclude hack/invalid",
		}},
		{"a directory at the top", map[string]int{"legacy/x.yaml": 50, "y.yaml": 4}, []string{
			"50 of 54 findings are below legacy; leave them out with --exclude ./legacy",
		}},
		{"directories below the only one", map[string]int{"charts/a/x.yaml": 20, "charts/b/x.yaml": 20, "charts/c/x.yaml": 15, "charts/d/x.yaml": 12}, []string{
			"20 of 67 findings are below charts/a; leave them out with --exclude charts/a",
			"20 of 67 findings are below charts/b; leave them out with --exclude charts/b",
			"15 of 67 findings are below charts/c; leave them out with --exclude charts/c",
		}},
		{"one directory has all", map[string]int{"deploy/x.yaml": 60}, nil},
		{"in an archive", map[string]int{"web/charts/db.tgz/templates/x.yaml": 60}, nil},
		{"standard input", map[string]int{"-": 60}, nil},
		{"elsewhere", map[string]int{"../a/x.yaml": 60, "/b/x.yaml": 60}, nil},
		{"names that must be quoted", map[string]int{"a b/x.yaml": 60, "[c]/x.yaml": 60, "-d/e/x.yaml": 60, "f\x1b/x.yaml": 60}, nil},
	} {
		var p places
		for file, n := range test.counts {
			for range n {
				p.add(file)
			}
		}
		if diff := cmp.Diff(test.want, p.remarks()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	var p places
	for i := range maxDirectories + 10 {
		p.add(fmt.Sprintf("%d/testdata/x.yaml", i))
	}
	if n := len(p.directories); n != maxDirectories {
		t.Errorf("%d directories, want %d", n, maxDirectories)
	}
	p.remarks()
}
