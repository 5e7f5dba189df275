// Package contention finds clients that fight. In a fight, two or more writers
// repeatedly revert each other's values in one object.
//
// A worker makes a short record of each successful write: the writer, the time
// and the method. If the log has bodies, the record also has fingerprints of
// the fields and their values.
//
// A Collector stores the records of each object as a set. It has no duplicates
// of an event and does not depend on the order in which logs were read, so that
// collectors of several logs can be merged (see Collector.Merge).
// Collector.Report finds the fights over an object in the object's set alone.
//
// Memory is bounded: see Limits. Dropped records are counted.
package contention
