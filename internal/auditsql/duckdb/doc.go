// Package duckdb runs the queries of auditsql in DuckDB and compares what they
// count with what kubevet counts. It is a module of its own for DuckDB's sake;
// its tests need a C compiler and are left out where there is none.
package duckdb
