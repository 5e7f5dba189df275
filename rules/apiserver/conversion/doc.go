// Package conversion plans the conversion of objects of deprecated or removed
// APIs to APIs that the target serves. It also plans how a deprecated annotation,
// label or field is replaced by its successor.
//
// A plan is safe if its result equals the server's own conversion, after both got
// their defaults. The server's own conversion is what a client reads in the new
// version after the server stored the old object. If the defaults of the two
// versions differ, the plan writes out the old default.
//
// The tests compare the results with the answers of released servers. Source: the
// defaults and conversions in k8s.io/kubernetes
// (pkg/apis/*/*/{defaults,conversion}.go), k8s.io/apiextensions-apiserver and
// k8s.io/kube-aggregator of 1.16 to 1.37.
package conversion
