// Package auditsql writes an SQL query that finds requests to deprecated APIs in audit logs. The
// logs are in an SQL engine, or in files that it can read.
//
// A query has two parts. The first one depends on the engine and the source of the logs, and
// selects a table of events. The second one counts the requests that the server marked as
// deprecated. It counts each request once, for any number of its events and copies of them.
package auditsql

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed queries/*.sql
var queries embed.FS

// dialect has the differences between engines in the part that counts requests.
type dialect struct {
	name string
	// absent is true for a row for which a left join found no partner.
	absent string
	// end ends a query.
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

// Sources returns the names of the shapes of logs that an engine's queries read; none for an
// unknown engine.
func Sources(engine string) []string {
	entries, err := queries.ReadDir("queries")
	if err != nil {
		return nil // the templates are embedded
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

// Query returns the query. logs is the engine's input: files for DuckDB and ClickHouse, a table for
// BigQuery and Athena. It fails for an unknown engine or source, and for a name that could be more
// than a name.
func Query(engine, source, logs string) (string, error) {
	at := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == engine })
	if at < 0 {
		return "", fmt.Errorf("unknown engine %q: want one of %s", engine, strings.Join(Engines(), ", "))
	}
	if !slices.Contains(Sources(engine), source) {
		return "", fmt.Errorf("no query of %s reads %q: want one of %s", engine, source, strings.Join(Sources(engine), ", "))
	}
	// The engines have the same quotes, but different rules for backslashes.
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
