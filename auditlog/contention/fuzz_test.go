package contention_test

import (
	"bytes"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// FuzzCollect checks that no log causes a panic, even if bodies are damaged. It
// also checks that reading a log twice, with any number of workers, does not
// change the state.
func FuzzCollect(f *testing.F) {
	log := scenario.Log(scenario.All())
	for i, line := range bytes.SplitAfter(log, []byte("\n")) {
		if i%7 == 0 {
			f.Add(line)
		}
	}
	f.Add([]byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","stage":"ResponseComplete","verb":"patch","objectRef":{"resource":"x","name":"y"},"responseStatus":{"code":200},"requestObject":[{"op":"add","path":"/a~1b/0","value":{"c":[{"name":"\ud800"}]}},{"op":"remove","path":"/a~1b"}],"stageTimestamp":"2026-11-21T10:00:00Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := collect(t, contention.Config{}, 1, data, data)
		c.Report(contention.Thresholds{MinReversals: 1})
		again := collect(t, contention.Config{}, 2, data, data)
		if !bytes.Equal(c.Encode(), again.Encode()) {
			t.Error("two readings differ")
		}
	})
}
