package tally

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/internal/corpustest"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func tallyFile(t testing.TB, cfg Config, paths ...string) *Report {
	t.Helper()
	var inputs []auditlog.Input
	for _, p := range paths {
		inputs = append(inputs, auditlog.Input{Name: p, Open: func() (io.ReadCloser, error) { return os.Open(p) }})
	}
	tl := New(cfg)
	sum, err := auditlog.Read(context.Background(), slices.Values(inputs), auditlog.Options{}, tl.Worker, tl.Add)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Damaged > 0 || len(sum.Failed) > 0 {
		t.Errorf("%+v", sum)
	}
	return tl.Report()
}

type ledger struct {
	Minor      int
	Deprecated []struct {
		User, UserAgent, Verb, Resource string
		Code                            int
		Warning                         *string
		Count                           int64
	}
	Requests []struct {
		User, UserAgent, Method, Path, Tag string
		Code                               int
		DryRun                             bool
		Count                              int64
	}
}

func readLedger(t testing.TB, name string) (l ledger) {
	t.Helper()
	data, err := os.ReadFile(corpustest.Path(t, "audit", "real", name+".ledger.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

var methods = map[Verb]string{
	VerbGet: "GET", VerbList: "GET", VerbWatch: "GET watch", VerbCreate: "POST", VerbUpdate: "PUT", VerbPatch: "PATCH",
	VerbDelete: "DELETE", VerbDeleteCollection: "DELETE",
}

// TestLedger compares the requests to old APIs with the requests in the ledger.
func TestLedger(t *testing.T) {
	for _, name := range []string{"1.24-Metadata", "1.36-RequestResponse"} {
		t.Run(name, func(t *testing.T) {
			l := readLedger(t, name)
			m := lifecycle.Minor(l.Minor)
			target, err := lifecycle.NewTarget(fmt.Sprintf("1.%d", m), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := tallyFile(t, Config{Target: target}, corpustest.Path(t, "audit", "real", name+".log.gz"))
			t.Logf("%d requests, %d copies, %d stages, %d open, server %v, %d clients, %d groups", r.Requests, r.Copies, r.Stages, r.OpenWatches, r.Server, len(r.Clients), len(r.Groups))
			got := map[string]int64{}
			for _, g := range r.Groups {
				got[fmt.Sprintf("%s | %s | %s | %s | %d", g.Client.Who(), g.Client.Agent, methods[g.Verb], g.API, g.Code)] += g.Count
			}
			want := map[string]int64{}
			for _, d := range l.Deprecated {
				if (d.Warning == nil || *d.Warning == "") && d.Code < 400 {
					continue // the new version must not be reported
				}
				res := strings.TrimSuffix(d.Resource, " (404)")
				want[fmt.Sprintf("%s | %s | %s | %s | %d", d.User, d.UserAgent, d.Verb, res, d.Code)] += d.Count
			}
			for k, n := range want {
				if got[k] != n {
					t.Errorf("%s: got %d, want %d", k, got[k], n)
				}
			}
			// All other requests come from scenarios about other subjects.
			other := map[string]int64{}
			for _, q := range l.Requests {
				if strings.Contains(q.Path, "/widgets.example.com/v1beta1/") && strings.Contains(q.User, "kyverno") {
					other[fmt.Sprintf("%s | %s | %s | widgets.example.com/v1beta1 widgets | %d", q.User, q.UserAgent, q.Method, q.Code)] += q.Count
				}
			}
			for k, n := range got {
				if want[k] == 0 && other[k] != n {
					t.Errorf("%s: got %d, not in the ledger", k, n)
				}
			}
			if len(want) < 40 {
				t.Errorf("the ledger has %d rows only", len(want))
			}
		})
	}
}

// TestMetrics compares each recorded log with the gauge of the server that
// wrote it.
func TestMetrics(t *testing.T) {
	for _, name := range []string{"1.24-Metadata", "1.36-RequestResponse"} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(corpustest.Path(t, "audit", "real", name+".metrics.txt"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			rows, err := ReadMetrics(f)
			if err != nil || len(rows) == 0 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			target, _ := lifecycle.NewTarget("1."+strings.TrimPrefix(strings.Split(name, "-")[0], "1."), nil, nil)
			r := tallyFile(t, Config{Target: target}, corpustest.Path(t, "audit", "real", name+".log.gz"))
			unexplained, unmeasured := r.Join(rows)
			for _, m := range unexplained {
				t.Logf("no event explains %s", m)
			}
			for _, m := range unmeasured {
				t.Errorf("no row for %s", m)
			}
			if len(unexplained) > 0 && !testing.Verbose() {
				t.Log("see -v")
			}
		})
	}
}
