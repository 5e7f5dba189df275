package tally

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
)

func tallyText(t testing.TB, cfg Config, workers int, logs ...string) *Report {
	t.Helper()
	var inputs []auditlog.Input
	for i, l := range logs {
		inputs = append(inputs, auditlog.Input{Name: fmt.Sprint("log", i), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(l))), nil }})
	}
	tl := New(cfg)
	sum, err := auditlog.Read(context.Background(), slices.Values(inputs), auditlog.Options{Workers: workers}, tl.Worker, tl.Add)
	if err != nil || sum.Damaged > 0 {
		t.Fatalf("%v %+v", err, sum)
	}
	return tl.Report()
}

// event writes an event of a request to a deprecated API.
func event(w io.Writer, id, stage, user, name, second string) {
	fmt.Fprintf(w, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":%q,"stage":%q,"requestURI":"/apis/policy/v1beta1/namespaces/a/poddisruptionbudgets/%s","verb":"watch","user":{"username":%q},"userAgent":"a/1","objectRef":{"resource":"poddisruptionbudgets","namespace":"a","name":%q,"apiGroup":"policy","apiVersion":"v1beta1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-21T10:00:00Z","stageTimestamp":"2026-11-21T10:00:%s.5Z"}`+"\n", id, stage, name, user, name, second)
}

// TestBounds checks that requests of too many clients and groups are counted
// together and reported.
func TestBounds(t *testing.T) {
	var log bytes.Buffer
	const n = 20_000
	for i := range n {
		event(&log, fmt.Sprint(i), "ResponseComplete", fmt.Sprint("user", i), fmt.Sprint("object", i), "01")
	}
	cfg := Config{MaxClients: 1000, MaxGroups: 500}
	r := tallyText(t, cfg, 1, log.String())
	requests, grouped := int64(0), int64(0)
	for _, c := range r.Clients {
		requests += c.Requests
	}
	for _, g := range r.Groups {
		grouped += g.Count
	}
	if requests != n || grouped != n || len(r.Clients) > 1000 || len(r.Groups) > 1000 {
		t.Errorf("%d requests of %d clients, %d in %d groups", requests, len(r.Clients), grouped, len(r.Groups))
	}
	if r.Overflow.Clients != n-999 || r.Overflow.Groups == 0 {
		t.Errorf("%+v", r.Overflow)
	}
	again := tallyText(t, cfg, 4, log.String())
	if fmt.Sprint(again.Overflow) != fmt.Sprint(r.Overflow) || len(again.Groups) != len(r.Groups) {
		t.Errorf("the number of workers matters: %+v and %+v", r.Overflow, again.Overflow)
	}
}

// TestStages checks that a request is counted once, whatever the order of its
// events and files. If the log has the request's last event, only this event is
// counted.
func TestStages(t *testing.T) {
	write := func(events ...[2]string) string {
		var b bytes.Buffer
		for _, e := range events {
			event(&b, e[0], e[1], "u", "o", "01")
		}
		return b.String()
	}
	received, started, complete, panicked := "RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"
	for _, c := range []struct {
		name       string
		logs       []string
		want, open int64
	}{
		{"all stages", []string{write([2]string{"1", received}, [2]string{"1", started}, [2]string{"1", complete})}, 1, 0},
		{"open watch", []string{write([2]string{"1", received}, [2]string{"1", started})}, 1, 1},
		{"end before the beginning", []string{write([2]string{"1", complete}), write([2]string{"1", started})}, 1, 0},
		{"copied file", []string{write([2]string{"1", complete}, [2]string{"2", started}), write([2]string{"1", complete}, [2]string{"2", started})}, 2, 1},
		{"panic", []string{write([2]string{"1", received}, [2]string{"1", panicked})}, 1, 0},
		{"only received", []string{write([2]string{"1", received})}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tallyText(t, Config{}, 2, c.logs...)
			if r.Requests != c.want || r.OpenWatches != c.open {
				t.Errorf("%d requests, %d open, want %d and %d", r.Requests, r.OpenWatches, c.want, c.open)
			}
		})
	}
}

// TestChosenAuditID checks that all requests of a client are counted although
// the client always sends the same audit ID.
func TestChosenAuditID(t *testing.T) {
	var log bytes.Buffer
	for i := range 50 {
		event(&log, "chosen", "ResponseComplete", "u", "o", fmt.Sprintf("%02d", i))
	}
	if r := tallyText(t, Config{}, 1, log.String()); r.Requests != 50 {
		t.Errorf("%d requests of 50", r.Requests)
	}
}
