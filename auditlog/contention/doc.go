// Package contention finds clients that fight: two or more writers that keep
// reverting each other's values on one object.
//
// A worker makes a short record of every write that was carried out: who, when,
// how, and, where the log has bodies, which fields then had which values, as
// fingerprints. A Collector keeps the records of each object. What it keeps is a
// set: it does not depend on the order in which logs were read, the same event
// read twice is one, and two collectors merge into what one would have become
// over both logs (see Collector.Merge). Finding fights is a function of that set
// alone (see Collector.Report), so that the work can be divided by objects.
//
// Memory is bounded, see Limits; what was forgotten is counted.
package contention
