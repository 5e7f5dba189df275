// Package auditlog reads the audit logs of Kubernetes API servers, of every
// shape in which vendors and log shippers hand them on, and says who asked
// what of the server.
//
// A log is read as a stream of blocks, each is scanned without building
// anything, and only what a report asks for is kept. An event is valid until
// the next one is read; whoever keeps something of it copies it.
package auditlog
