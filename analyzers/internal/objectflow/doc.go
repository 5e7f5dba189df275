// Package objectflow follows API objects through a package: which read, or
// which answer of a write, reaches which call.
//
// An object is followed as the pointer that names it and as the content behind
// it: through conversions, deep copies, JSON, package unstructured, elements of
// lists, captured variables, and the functions of the same package that take or
// return it. What an unknown function of another package does with a pointer is
// unknown, so the object is lost there. Of the paths between two points only
// those count that are possible when the read succeeded: behind
//
//	if apierrors.IsNotFound(err) { … }
//
// there is no object that was read.
package objectflow
