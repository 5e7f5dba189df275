// Package lifecycle has every API and feature gate of the Kubernetes minors that
// kubevet knows. For an API, it has the minors that serve it by default or on
// request, the server's warnings, its removal, and its replacement.
//
// The data are generated static tables. Nothing is parsed or built at start, and
// a look-up does not allocate memory. The module in gen makes the tables from the
// Kubernetes releases. Its README describes how to add the next release, and its
// NOTES describe known gaps.
//
// An [API] is one kind in one version of a group. Its state depends on the [Target]: a
// minor or a range of minors, with the feature gates and the runtime configuration of
// the server.
package lifecycle
