// Package objectflow follows API objects through a package: which read, or
// which answer of a write, reaches which call.
//
// It follows an object as a pointer and as the content behind the pointer. It follows
// both through conversions, deep copies, JSON, package unstructured, elements of lists,
// captured variables, and functions of the same package that take or return the object.
// An unknown function of another package may do anything with a pointer, so the object
// is lost there. Only paths that are possible after a successful read count: behind
//
//	if apierrors.IsNotFound(err) { … }
//
// there is no object that was read.
package objectflow
