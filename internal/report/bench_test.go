package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// BenchmarkReport measures each format with 10,000 findings in 2,500 files.
func BenchmarkReport(b *testing.B) {
	ordinary := ordinaryRun()
	var findings []rules.Finding
	for i := range 10000 {
		f := ordinary.findings[i%4]
		f.File = fmt.Sprintf("deploy/team-%d/web.yaml", i/4)
		findings = append(findings, f)
	}
	for _, format := range report.Formats() {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rep, err := report.New(format, io.Discard, options())
				if err != nil {
					b.Fatal(err)
				}
				for _, f := range findings {
					if err := rep.Finding(f); err != nil {
						b.Fatal(err)
					}
				}
				if err := rep.Close(ordinary.summary); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
