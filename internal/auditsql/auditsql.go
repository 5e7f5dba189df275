// Package auditsql writes the query that finds requests to deprecated APIs in
// audit logs that an SQL engine holds, or can read, already.
//
// A query has two parts: one for the engine and where the logs come from, which
// makes a table of events of them, and one that counts the requests which the
// server marked as deprecated: each once, however many events and copies of them
// there are.
package auditsql

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed queries/*.sql
var queries embed.FS

// dialect is what engines do not agree on where requests are counted.
type dialect struct {
	name string
	// absent is true of a row that a left join found no partner for.
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

// Engines names the engines.
func Engines() []string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

// Sources names the shapes of logs that an engine's queries read; none for an
// engine that is unknown.
func Sources(engine string) []string {
	entries, err := queries.ReadDir("queries")
	if err != nil {
		return nil // they are embedded
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

// Query gives the query. logs is what the engine reads: files for DuckDB and
// ClickHouse, a table for BigQuery and Athena. It fails for an engine or source
// that there is not, and for a name that could be more than a name.
func Query(engine, source, logs string) (string, error) {
	at := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == engine })
	if at < 0 {
		return "", fmt.Errorf("unknown engine %q: want one of %s", engine, strings.Join(Engines(), ", "))
	}
	if !slices.Contains(Sources(engine), source) {
		return "", fmt.Errorf("no query of %s reads %q: want one of %s", engine, source, strings.Join(Sources(engine), ", "))
	}
	// The engines agree on quotes and not on backslashes.
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
