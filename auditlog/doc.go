// Package auditlog reads the audit logs of Kubernetes API servers, in the
// formats of vendors and log shippers.
//
// A log is a stream of blocks. Blocks are scanned without building trees of
// their JSON. An event is valid until the next event is read, and workers copy
// the parts that they keep.
package auditlog
