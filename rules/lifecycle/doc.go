// Package lifecycle knows every API and feature gate of the covered Kubernetes minors.
// It knows since when an API exists, whether a server serves it by default or on
// request, the server's warnings, when it is removed, and its replacement.
//
// The data is in generated static tables. Nothing is parsed or built at start, and a
// lookup allocates nothing. The module in gen reads the tables from the Kubernetes
// releases. Its README describes how to add the next release, and its NOTES describe
// known gaps.
//
// An [API] is one kind in one version of a group. Its state depends on the [Target]: a
// minor or a range of minors, with the feature gates and the runtime configuration of
// the server.
package lifecycle
