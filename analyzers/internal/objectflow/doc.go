// Package objectflow follows API objects through a package. It finds the calls that an
// object reaches after it was read, or after a write returned it.
//
// It follows the pointer to an object, and the content behind the pointer. It follows them
// through:
//   - conversions, deep copies, JSON and package unstructured;
//   - elements of lists and captured variables;
//   - functions of the package that take or return the object.
//
// It stops at a call of an unknown function of another package, because this function may
// change the object.
//
// Only paths after a successful read count. In the body of
//
//	if apierrors.IsNotFound(err) { … }
//
// no object was read.
package objectflow
