package tally

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/auditgen/traffic"
)

// BenchmarkTally reads and counts generated logs on one core.
func BenchmarkTally(b *testing.B) {
	for _, name := range []string{traffic.Metadata, traffic.RequestResponse} {
		b.Run(name, func(b *testing.B) {
			data := traffic.Log(traffic.Config{Seed: 1, Level: name}, 64<<20)
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
