package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var updateCases = flag.Bool("update-cases", false, "rewrite the reports in testdata/upgrade")

// TestUpgradeCases compares upgrade reports with goldens: a shop on EKS, a platform team
// with forty owners, and an edge cluster with k3s. In each directory of testdata/upgrade,
// the file args has the flags, and report.md is the golden. The HTML page must have the
// same verdict and at most 1 MiB.
func TestUpgradeCases(t *testing.T) {
	cases, err := filepath.Glob("../../testdata/upgrade/*/args")
	if err != nil || len(cases) < 3 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, name := range cases {
		dir := filepath.Dir(name)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			args, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			work := t.TempDir() // not in a git repository
			if err := os.CopyFS(work, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			report := func(format string) []byte {
				var out, errs bytes.Buffer
				status := Command{Stdout: &out, Stderr: &errs, Dir: work}.Main(t.Context(), append([]string{"upgrade", "-q", "--no-config", "-o", format}, strings.Fields(string(args))...))
				if status != 1 || errs.String() != "" {
					t.Errorf("%s: status %d: %s", format, status, errs.String())
				}
				return out.Bytes()
			}
			got := regexp.MustCompile(`as of \d{4}-\d\d-\d\d`).ReplaceAll(report("markdown"), []byte("as of 2026-11-23"))
			golden := filepath.Join(dir, "report.md")
			if *updateCases {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs; run with -update-cases and look at the difference", golden)
			}
			if page := report("html"); len(page) > 1<<20 || !bytes.Contains(page, []byte(`<h1 class="verdict stop">`)) {
				t.Errorf("a page of %d bytes", len(page))
			}
		})
	}
}
