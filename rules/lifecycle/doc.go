// Package lifecycle knows every API and feature gate of the covered
// Kubernetes minors: since when it is there, whether a server serves it by
// default or if told to, what the server warns about it, when it goes, and
// what takes its place.
//
// The knowledge is in generated tables of static data: nothing is parsed or
// built at start, and looking up allocates nothing. The tables are read from
// the Kubernetes releases themselves by the module in gen, whose README says
// how to add the next release and whose NOTES say what is known about the
// data's edges.
//
// An [API] is one kind in one version of a group. What becomes of it depends
// on the [Target]: a minor or a range of them, with the feature gates and the
// runtime configuration of the server.
package lifecycle
