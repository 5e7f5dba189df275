package auditsql

import (
	"slices"
	"strings"
	"testing"
)

// TestQueries checks that every query reads the given logs and has no placeholders of the
// template.
func TestQueries(t *testing.T) {
	for _, engine := range Engines() {
		sources := Sources(engine)
		if len(sources) < 2 {
			t.Errorf("%s reads %v only", engine, sources)
		}
		for _, source := range sources {
			query, err := Query(engine, source, "some/logs*.gz")
			if err != nil {
				t.Error(err)
				continue
			}
			if strings.Count(query, "some/logs*.gz") != 1 || strings.Contains(query, "{{") || strings.Count(query, "(") != strings.Count(query, ")") {
				t.Errorf("%s of %s:\n%s", engine, source, query)
			}
			if !strings.Contains(query, "WITH ") || !strings.Contains(query, "ORDER BY requests DESC") {
				t.Errorf("%s of %s is not whole:\n%s", engine, source, query)
			}
		}
	}
	if !slices.Equal(Sources("duckdb"), []string{"aks", "eks", "files", "gke"}) || Sources("oracle") != nil {
		t.Errorf("%v, %v", Sources("duckdb"), Sources("oracle"))
	}
}

func TestQueryRefuses(t *testing.T) {
	for _, c := range []struct{ engine, source, logs, want string }{
		{"oracle", "files", "x", "want one of duckdb, clickhouse, bigquery, athena"},
		{"athena", "gke", "x", "want one of eks, files"},
		{"duckdb", "files", "", "is no name"},
		{"duckdb", "files", "x'); DROP TABLE y", "is no name"},
		{"bigquery", "gke", "a` -- b", "is no name"},
	} {
		if _, err := Query(c.engine, c.source, c.logs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
