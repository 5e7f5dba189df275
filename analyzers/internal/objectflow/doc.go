// Package objectflow follows API objects through a package. It finds the calls that an
// object reaches after it was read, or after a write returned it.
//
// It follows the pointer to an object, and the content behind the pointer. It
// follows them through conversions, deep copies, JSON, package unstructured,
// elements of lists and captured variables. It also follows them through
// functions of the same package that take or return the object. An unknown
// function of another package may change an object, so package objectflow does
// not follow an object beyond a call of such a function.
//
// Only paths after a successful read count. In the body of
//
//	if apierrors.IsNotFound(err) { … }
//
// no object was read.
package objectflow
