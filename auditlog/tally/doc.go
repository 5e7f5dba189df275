// Package tally counts the requests to an API server by client. It counts uses
// of deprecated APIs, writes without a field manager, forced applies and
// conflicts.
//
// A worker makes a short record of each event. The records are counted in the
// order of the log, so the result does not depend on the number of workers. A
// request is counted once, even if the logs have several of its stages, copies
// of it, or events from several servers.
//
// Memory is bounded: beyond Config's limits, clients, groups and objects are
// counted together, and the report shows that.
package tally
