// Package contention finds clients that fight. In a fight, two or more writers
// repeatedly revert each other's values in one object.
//
// A worker makes a short record of each successful write. It has the writer,
// the time and the method. If the log has bodies, it also has fingerprints of
// the fields and their values. A Collector stores the records of each object as
// a set. The set does not depend on the order in which logs were read, and has
// no duplicates of an event. Two collectors merge into the collector of both
// logs (see Collector.Merge). Collector.Report needs only this set to find
// fights, so the work can be divided by objects.
//
// Memory is bounded: see Limits. Dropped records are counted.
package contention
