package contention_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditgen/traffic"
)

// pair is a worker that passes events to a worker of each package.
type pair struct {
	t auditlog.Worker[tally.Part]
	c auditlog.Worker[contention.Part]
}

type parts struct {
	t tally.Part
	c contention.Part
}

func (p *pair) Event(e *auditlog.Event, line int) { p.t.Event(e, line); p.c.Event(e, line) }
func (p *pair) Part() parts                       { return parts{p.t.Part(), p.c.Part()} }

// BenchmarkAudit counts generated logs on one core, with and without the search
// for fights.
func BenchmarkAudit(b *testing.B) {
	for _, name := range []string{traffic.Metadata, traffic.RequestResponse} {
		data := traffic.Log(traffic.Config{Seed: 1, Level: name}, 64<<20)
		for _, on := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/fights=%v", name, on), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				in := []auditlog.Input{{Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}}
				for b.Loop() {
					t := tally.New(tally.Config{})
					if !on {
						auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{Workers: 1}, t.Worker, t.Add)
						t.Report()
						continue
					}
					c := contention.New(contention.Config{})
					auditlog.Read(context.Background(), slices.Values(in), auditlog.Options{Workers: 1},
						func() auditlog.Worker[parts] { return &pair{t.Worker(), c.Worker()} },
						func(p parts, input string, line int) { t.Add(p.t, input, line); c.Add(p.c, input, line) })
					t.Report()
					c.Report(contention.Thresholds{})
				}
			})
		}
	}
}

// BenchmarkMillion collects writes to one and to three million objects. One
// client creates all objects, and updates a tenth of them once. Two clients
// fight over the last 10,000 objects.
func BenchmarkMillion(b *testing.B) {
	for _, millions := range []int{1, 3} {
		b.Run(fmt.Sprintf("objects=%dM", millions), func(b *testing.B) { benchmarkObjects(b, millions*1_000_000) })
	}
}

func benchmarkObjects(b *testing.B, objects int) {
	const fought = 10_000
	var before, after runtime.MemStats
	for b.Loop() {
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		c := contention.New(contention.Config{})
		in := auditlog.Input{Name: "made.log", Open: func() (io.ReadCloser, error) { return &generatedLog{objects: objects, every: objects / fought}, nil }}
		if _, err := auditlog.Read(context.Background(), slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, c.Worker, c.Add); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
		b.StartTimer()
		if r := c.Report(contention.Thresholds{}); r.Objects != fought || len(r.Fights) != fought {
			b.Fatalf("%d objects with two writers, %d fights", r.Objects, len(r.Fights))
		}
	}
}

// generatedLog reads a log that it generates during reading.
type generatedLog struct {
	objects, every int
	next           int
	text           bytes.Buffer
}

func (m *generatedLog) Read(p []byte) (int, error) {
	for m.text.Len() < len(p) && m.next < m.objects {
		i := m.next
		m.next++
		event(&m.text, i, 0, "create", "maker")
		if i%10 == 0 {
			event(&m.text, i, 1, "update", "maker")
		}
		if i%m.every == 0 {
			for j := range 6 {
				event(&m.text, i, 2+j, "update", []string{"maker", "other"}[j%2])
			}
		}
	}
	return m.text.Read(p)
}

func (m *generatedLog) Close() error { return nil }

// event writes the nth event about the object with this number.
func event(log *bytes.Buffer, object, nth int, verb, user string) {
	body := `"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"config-%d","namespace":"space-%d","uid":"%d","resourceVersion":"%d"},"data":{"a":"%d","b":"x","c":"y","d":"z"}`
	body = fmt.Sprintf(body, object, object%1000, object, object*10+nth, nth%2)
	fmt.Fprintf(log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%d-%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/space-%d/configmaps/config-%d","verb":"%s","user":{"username":"%s"},"sourceIPs":["10.0.0.7"],"userAgent":"%s/v1","objectRef":{"resource":"configmaps","namespace":"space-%d","name":"config-%d","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestObject":{%s},"responseObject":{%s},"requestReceivedTimestamp":"2026-11-21T10:00:00.000001Z","stageTimestamp":"2026-11-21T%02d:%02d:%02d.%06dZ"}`+"\n",
		object, nth, object%1000, object, verb, user, user, object%1000, object, body, body, object/200_000, object/4000%60, nth, object%4000)
}
