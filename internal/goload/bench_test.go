package goload

import (
	"os"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
)

// BenchmarkRun loads the packages below the directory in the variable BENCH_DIR. The
// analyzer of the benchmark only reads the types of imports.
func BenchmarkRun(b *testing.B) {
	dir := os.Getenv("BENCH_DIR")
	if dir == "" {
		b.Skip("BENCH_DIR is not set")
	}
	a := &analysis.Analyzer{
		Name: "look", Doc: "look", Requires: []*analysis.Analyzer{inspect.Analyzer}, ResultType: reflect.TypeFor[int](),
		Run: func(p *analysis.Pass) (any, error) { return len(p.Pkg.Imports()), nil },
	}
	for b.Loop() {
		r, err := Run(b.Context(), Options{Dir: dir, Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{a}, Relevant: func(path string) bool {
			return path == "k8s.io/apimachinery/pkg/apis/meta/v1"
		}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Packages), "packages")
		b.ReportMetric(float64(r.Skipped), "skipped")
		b.ReportMetric(float64(r.Dependencies), "deps")
		b.ReportMetric(float64(len(r.Failures)), "failures")
		for _, f := range r.Failures[:min(5, len(r.Failures))] {
			b.Log(f.Package, f.Errors[:min(3, len(f.Errors))])
		}
	}
}
