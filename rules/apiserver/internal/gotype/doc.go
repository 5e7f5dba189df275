// Package gotype decodes objects as kube-apiservers do. It has the Go types of
// every built-in kind in every minor. Packages schema and apiserver turn its
// errors into the server's answers.
//
// rules/lifecycle/gen generates the tables of types.
package gotype
