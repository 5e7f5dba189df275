// Package gotype knows the Go types that kube-apiservers decode objects into,
// of every built-in kind and minor, and decodes into them as the servers do.
// It knows nothing of requests and answers; package schema and package
// apiserver put its words into theirs.
//
// The tables are made by rules/lifecycle/gen.
package gotype
