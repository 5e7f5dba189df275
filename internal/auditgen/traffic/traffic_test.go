package traffic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditgen/traffic"
)

// TestSame checks that the logs have the bytes to which published measurements refer.
func TestSame(t *testing.T) {
	for _, test := range []struct {
		cfg  traffic.Config
		want uint64
	}{
		{traffic.Config{Seed: 1, Level: traffic.Metadata}, 0x952f544067d98a1c},
		{traffic.Config{Seed: 1, Level: traffic.Request}, 0x69524fa3dd6b781f},
		{traffic.Config{Seed: 1, Level: traffic.RequestResponse}, 0xff582ec30116d386},
		{traffic.Config{Seed: 1, Level: traffic.Metadata, Churn: true}, 0xe897a8fd9ac055e1},
	} {
		h := fnv.New64a()
		h.Write(traffic.Log(test.cfg, 1<<20))
		if got := h.Sum64(); got != test.want {
			t.Errorf("%+v: hash %#x, want %#x: publish new figures", test.cfg, got, test.want)
		}
	}
}

// worker passes events to a tally, and collects the different objects and clients.
type worker struct {
	auditlog.Worker[tally.Part]
	objects, clients map[string]bool
}

func (w *worker) Event(e *auditlog.Event, line int) {
	w.clients[e.Client.Key()] = true
	if !e.Ref.Name.IsZero() {
		w.objects[e.Ref.Resource.String()+"/"+e.Ref.Namespace.String()+"/"+e.Ref.Name.String()] = true
	}
	w.Worker.Event(e, line)
}

func read(t *testing.T, log []byte, newWorker func() auditlog.Worker[tally.Part], add func(tally.Part, string, int)) auditlog.Summary {
	t.Helper()
	in := auditlog.Input{Name: "made.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log)), nil }}
	sum, err := auditlog.Read(context.Background(), slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, newWorker, add)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestVariety checks that each line is an event, that bodies agree with the level, and
// that the numbers of objects and clients agree with the documentation of the package.
func TestVariety(t *testing.T) {
	const size = 24 << 20
	for _, level := range []string{traffic.Metadata, traffic.Request, traffic.RequestResponse} {
		log := traffic.Log(traffic.Config{Seed: 1, Level: level}, size)
		lines := bytes.Count(log, []byte("\n"))
		for line := range bytes.Lines(log[:bytes.LastIndexByte(log[:1<<20], '\n')]) {
			if !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
		}
		tl := tally.New(tally.Config{})
		w := &worker{tl.Worker(), map[string]bool{}, map[string]bool{}}
		sum := read(t, log, func() auditlog.Worker[tally.Part] { return w }, tl.Add)
		if sum.Damaged > 0 || sum.Events != int64(lines) {
			t.Errorf("%s: %d lines, %d events, %d damaged", level, lines, sum.Events, sum.Damaged)
		}
		// Some objects are read more often than others, so the number of different
		// objects grows with the log.
		if len(w.objects) < 2500 || len(w.clients) < 700 {
			t.Errorf("%s: %d objects, %d clients in %d MB", level, len(w.objects), len(w.clients), size>>20)
		}
		if r := tl.Report(); len(r.Groups) < 20 || len(r.Conflicts) == 0 {
			t.Errorf("%s: %d groups of deprecated APIs, %d conflicts", level, len(r.Groups), len(r.Conflicts))
		}
		for i, l := range []string{"", traffic.Metadata, traffic.Request, traffic.RequestResponse} {
			if has, want := sum.Levels[i] > 0, i > 0 && !(l > level && l != traffic.Metadata) && !(level == traffic.Metadata && l != level); has != want {
				t.Errorf("%s: %d events of level %q", level, sum.Levels[i], l)
			}
		}
	}
}

func TestFights(t *testing.T) {
	c := contention.New(contention.Config{})
	in := auditlog.Input{Name: "made.log", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(traffic.Log(traffic.Config{Seed: 1, Level: traffic.Request}, 48<<20))), nil
	}}
	if _, err := auditlog.Read(context.Background(), slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, c.Worker, c.Add); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Report(contention.Thresholds{}).Fights); n < 10 {
		t.Errorf("%d fights", n)
	}
}

// TestChurn checks the number of objects in a log with short-lived objects.
func TestChurn(t *testing.T) {
	log := traffic.Log(traffic.Config{Seed: 1, Churn: true, Level: traffic.Metadata}, 48<<20)
	tl := tally.New(tally.Config{})
	w := &worker{tl.Worker(), map[string]bool{}, map[string]bool{}}
	sum := read(t, log, func() auditlog.Worker[tally.Part] { return w }, tl.Add)
	creates := bytes.Count(log, []byte(`"verb":"create"`))
	if share := float64(creates) / float64(sum.Events); share < 0.6 || share > 0.8 || len(w.objects) < creates*99/100 {
		t.Errorf("%d events, %d creations, %d objects", sum.Events, creates, len(w.objects))
	}
}
