// Package gotype has the Go types that kube-apiservers decode objects into, of
// every built-in kind and minor, and decodes objects as the servers do.
// Packages schema and apiserver turn its errors into answers.
//
// rules/lifecycle/gen generates the tables.
package gotype
