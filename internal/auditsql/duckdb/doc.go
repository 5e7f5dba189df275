// Package duckdb runs the queries of auditsql in DuckDB and compares their counts with kubevet's.
// It is a module of its own because of its dependency on DuckDB. Its tests need a C compiler and
// are skipped without one.
package duckdb
