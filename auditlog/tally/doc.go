// Package tally counts who asked what of an API server: who uses deprecated
// APIs, who writes without saying who they are, who forces, who conflicts.
//
// A worker makes a short record of each event; the records are counted in the
// order of the log, so that the outcome does not depend on how many workers
// there were. A request is counted once, however many of its stages, copies
// and servers are in the logs.
//
// Memory is bounded: beyond Config's limits clients, groups and objects are
// counted together, and the report says so.
package tally
