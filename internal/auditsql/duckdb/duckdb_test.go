//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditsql"
	"github.com/kubevet/kubevet/internal/corpustest"
)

// counted returns kubevet's counts of the requests in a log that the server marked as
// deprecated.
func counted(t *testing.T, path string) map[string]int64 {
	t.Helper()
	input := auditlog.Input{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	tl := tally.New(tally.Config{})
	if _, err := auditlog.Read(context.Background(), slices.Values([]auditlog.Input{input}), auditlog.Options{Skip: auditlog.OnlyDeprecated}, tl.Worker, tl.Add); err != nil {
		t.Fatal(err)
	}
	all := map[string]int64{}
	for _, g := range tl.Report().Groups {
		api := g.API.GroupVersion() + " " + g.API.Resource
		all[fmt.Sprintf("%s|%s|%s|%s", g.Removed, api, g.Client.Who(), g.Client.Agent)] += g.Count
	}
	return all
}

func queried(t *testing.T, db *sql.DB, source, path string) map[string]int64 {
	t.Helper()
	query, err := auditsql.Query("duckdb", source, path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	all := map[string]int64{}
	for rows.Next() {
		var removed, api, user, agent, first, last string
		var n int64
		if err := rows.Scan(&removed, &api, &user, &agent, &n, &first, &last); err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprintf("%s|%s|%s|%s", removed, api, user, agent)] += n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// event returns an event of a request to a deprecated API.
func event(id, stage, verb, user, extra, at string) string {
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":%q,"stage":%q,"requestURI":"/apis/policy/v1beta1/namespaces/n/poddisruptionbudgets/%s","verb":%q,"user":{"username":%q}%s,"sourceIPs":["10.0.0.1"],"userAgent":"a/1 (it's)","objectRef":{"resource":"poddisruptionbudgets","namespace":"n","name":"x","apiGroup":"policy","apiVersion":"v1beta1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-21T10:00:00.000000Z","stageTimestamp":"2026-11-21T10:00:%s.000000Z","annotations":{"k8s.io/deprecated":"true","k8s.io/removed-release":"1.25"}}`, id, stage, id, verb, user, extra, at)
}

// TestCounts compares the counts of the query for each source with the counts of kubevet.
func TestCounts(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	events := []string{
		event("1", "ResponseComplete", "get", "u", "", "01"),
		event("1", "ResponseComplete", "get", "u", "", "01"), // a copy of the event before
		event("2", "ResponseStarted", "watch", "u", "", "02"),
		event("2", "ResponseComplete", "watch", "u", "", "03"),
		event("3", "ResponseStarted", "watch", "v", "", "04"), // the watch is still open
		event("4", "ResponseComplete", "get", "u", `,"impersonatedUser":{"username":"w"}`, "05"),
		event("5", "ResponseComplete", "get", "u", "", "06"),
		event("5", "ResponseComplete", "get", "u", "", "07"), // another request with the same audit ID
	}
	dir := t.TempDir()
	logs := map[string]string{"files": "", "eks": "", "aks": ""}
	for _, e := range events {
		logs["files"] += e + "\n"
		logs["eks"] += "2026-11-21T10:00:00.123Z " + e + "\n"
		logs["aks"] += fmt.Sprintf(`{"category":"kube-audit","properties":{"log":%q}}`, e) + "\n"
	}
	for source, text := range logs {
		t.Run(source, func(t *testing.T) {
			path := filepath.Join(dir, source+".log")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			compare(t, db, source, path)
			if got := queried(t, db, source, path)["1.25|policy/v1beta1 poddisruptionbudgets|u|a/1 (it's)"]; got != 4 {
				t.Errorf("%d requests of u, want 4", got)
			}
		})
	}
	for _, c := range [][2]string{
		{"files", "real/1.24-Metadata.log.gz"}, {"files", "real/1.36-RequestResponse.log.gz"}, {"files", "formats/01b-real-apiserver-1.36.jsonl"},
		{"eks", "formats/07-eks-export-task-000000.gz"}, {"aks", "formats/11-aks-blob-PT1H.json"}, {"gke", "formats/08-gke-logging-sink-gcs.jsonl"},
	} {
		t.Run(c[0]+"/"+c[1], func(t *testing.T) {
			compare(t, db, c[0], corpustest.Path(t, "audit", filepath.FromSlash(c[1])))
		})
	}
}

func compare(t *testing.T, db *sql.DB, source, path string) {
	t.Helper()
	want, got := counted(t, path), queried(t, db, source, path)
	if len(want) == 0 {
		t.Error("nothing to compare")
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: DuckDB counts %d, kubevet %d", k, got[k], n)
		}
	}
	for k, n := range got {
		if want[k] == 0 {
			t.Errorf("%s: DuckDB counts %d, kubevet none", k, n)
		}
	}
}
