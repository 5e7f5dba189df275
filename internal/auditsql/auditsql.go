// Package auditsql writes SQL queries that find requests to deprecated APIs in audit
// logs. The logs are in an SQL engine, or in files that the engine can read.
//
// A query has two parts. The first part depends on the engine and the source of the logs,
// and selects a table of events. The second part counts the requests that the server
// marked as deprecated. A request with several events, or with copies of an event, is
// counted once.
package auditsql

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed queries/*.sql
var queries embed.FS

// dialect has the differences between engines in the second part of a query.
type dialect struct {
	name string
	// absent is an expression that is true for a row without a partner in a left join.
	absent string
	// end is the text at the end of a query.
	end string
}

var dialects = []dialect{
	{"duckdb", "c.audit_id IS NULL", ";"},
	{"clickhouse", "c.audit_id = ''", " SETTINGS join_use_nulls = 0;"},
	{"bigquery", "c.audit_id IS NULL", ";"},
	{"athena", "c.audit_id IS NULL", ""},
}

// Engines returns the names of the engines.
func Engines() []string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

// Sources returns the log sources that have a query for an engine. It returns nil for an
// unknown engine.
func Sources(engine string) []string {
	entries, err := queries.ReadDir("queries")
	if err != nil {
		return nil // not possible: the templates are embedded
	}
	var all []string
	for _, e := range entries {
		name, _ := strings.CutSuffix(e.Name(), ".sql")
		if of, source, ok := strings.Cut(name, "-"); ok && of == engine {
			all = append(all, source)
		}
	}
	slices.Sort(all)
	return all
}

// Query returns the query for an engine and a source. logs is the input of the engine:
// files for DuckDB and ClickHouse, a table for BigQuery and Athena. Query returns an
// error for an unknown engine or source, and if logs has a character that could end the
// name in the SQL text.
func Query(engine, source, logs string) (string, error) {
	at := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == engine })
	if at < 0 {
		return "", fmt.Errorf("unknown engine %q: want one of %s", engine, strings.Join(Engines(), ", "))
	}
	if !slices.Contains(Sources(engine), source) {
		return "", fmt.Errorf("no query of %s reads %q: want one of %s", engine, source, strings.Join(Sources(engine), ", "))
	}
	// All engines use these quotes, but they handle backslashes differently.
	if logs == "" || strings.ContainsAny(logs, "'`\"\\;\n\r") || strings.Contains(logs, "--") {
		return "", fmt.Errorf("%q is no name of a table or of files that fits into a query", logs)
	}
	events, err := queries.ReadFile("queries/" + engine + "-" + source + ".sql")
	if err != nil {
		return "", err
	}
	count, err := queries.ReadFile("queries/count.sql")
	if err != nil {
		return "", err
	}
	words := strings.NewReplacer("{{logs}}", logs, "{{absent}}", dialects[at].absent, "{{end}}", dialects[at].end)
	return words.Replace(string(events) + string(count)), nil
}
