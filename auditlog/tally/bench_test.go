package tally

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/corpustest"
)

// BenchmarkTally reads and counts recorded logs, repeated, on one core.
func BenchmarkTally(b *testing.B) {
	for _, name := range []string{"1.24-Metadata", "1.36-RequestResponse"} {
		b.Run(name, func(b *testing.B) {
			f, err := os.Open(corpustest.Path(b, "audit", "real", name+".log.gz"))
			if err != nil {
				b.Fatal(err)
			}
			z, err := gzip.NewReader(f)
			if err != nil {
				b.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			events := int64(0)
			for b.Loop() {
				t := New(Config{})
				in := auditlog.Input{Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
				sum, _ := auditlog.Read(context.Background(), slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, t.Worker, t.Add)
				events += sum.Events
				t.Report()
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
