package analyzers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/internal/unit"
)

// BenchmarkThousandCalls loads a package with a thousand writes and runs all rules on it.
// The difference to BenchmarkOneCall is the cost of the writes.
func BenchmarkThousandCalls(b *testing.B) { benchmarkCalls(b, 1000) }

// BenchmarkOneCall runs all rules on a package with a single write.
func BenchmarkOneCall(b *testing.B) { benchmarkCalls(b, 1) }

func benchmarkCalls(b *testing.B, calls int) {
	dir := b.TempDir()
	mod, err := os.ReadFile(filepath.Join("testdata", "go.mod"))
	if err != nil {
		b.Fatal(err)
	}
	stubs, err := filepath.Abs(filepath.Join("testdata", "stubs"))
	if err != nil {
		b.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	write("go.mod", strings.ReplaceAll(string(mod), "./stubs/", filepath.ToSlash(stubs)+"/"))
	var src strings.Builder
	src.WriteString(`package calls

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var _ = metav1.DryRunAll

type options struct{ dryRun bool }
`)
	// Each kind of client makes half of the writes. A fifth of the writes are guarded.
	for i := range calls {
		guard := ""
		if i%5 == 0 {
			guard = "\tif o.dryRun {\n\t\treturn nil\n\t}\n"
		}
		if i%2 == 0 {
			fmt.Fprintf(&src, "\nfunc (o *options) f%d(ctx context.Context, c client.Client, pod *corev1.Pod) error {\n%s\treturn c.Update(ctx, pod)\n}\n", i, guard)
			continue
		}
		fmt.Fprintf(&src, "\nfunc (o *options) f%d(ctx context.Context, c kubernetes.Interface, pod *corev1.Pod) error {\n%s\t_, err := c.CoreV1().Pods(pod.Namespace).Create(ctx, pod, metav1.CreateOptions{})\n\treturn err\n}\n", i, guard)
	}
	if calls == 1 {
		src.WriteString("\nvar _ kubernetes.Interface\n")
	}
	write("calls.go", src.String())
	list := append(analyzers.All(), analyzers.Census)
	for b.Loop() {
		found := 0
		r, err := goload.Run(b.Context(), goload.Options{
			Dir: dir, Analyzers: list, Relevant: analyzers.Relevant,
			Visit: func(_ *unit.Package, results []unit.Result) {
				for _, r := range results {
					if r.Analyzer == analyzers.Census {
						found = r.Value.(*analyzers.Count).Calls
					}
				}
			},
		})
		switch {
		case err != nil:
			b.Fatal(err)
		case len(r.Failures) > 0:
			b.Fatal(r.Failures[0].Errors)
		case found != calls:
			b.Fatalf("%d writes found, want %d", found, calls)
		}
		b.ReportMetric(float64(len(r.Diagnostics)), "findings")
	}
}
