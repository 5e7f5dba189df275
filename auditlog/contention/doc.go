// Package contention finds clients that fight: two or more writers that keep reverting each other's
// values on one object.
//
// A worker makes a short record of every successful write: its writer, time and method. If the log
// has bodies, the record also has fingerprints of the fields and their values. A Collector stores
// the records of each object as a set. The set does not depend on the order in which logs were
// read, and has no duplicates of an event. Two collectors merge into the collector of both logs
// (see Collector.Merge). Collector.Report finds the fights in that set alone, so the work can be
// divided by objects.
//
// Memory is bounded, see Limits. Forgotten records are counted.
package contention
