// Package contention finds clients that fight. In a fight, two or more writers
// repeatedly revert each other's values in one object.
//
// A worker makes a short record of each successful write: the writer, the time
// and the method. If the log has bodies, the record also has fingerprints of
// the fields and their values.
//
// A Collector stores a set of records for each object. The set has each event
// once, and does not depend on the order in which logs were read. So collectors
// of several logs can be merged (see Collector.Merge). Collector.Report needs
// only the set of an object to find the fights over this object.
//
// Memory is bounded: see Limits. Dropped records are counted.
package contention
