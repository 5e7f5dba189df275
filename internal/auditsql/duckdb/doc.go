// Package duckdb runs the queries of auditsql in DuckDB and compares the counts with
// those of kubevet. It is a separate module because it depends on DuckDB. Its tests need
// a C compiler, and are skipped without one.
package duckdb
