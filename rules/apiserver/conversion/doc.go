// Package conversion plans how an object of a deprecated or removed API becomes
// the same object in an API that the target serves. It also plans how a
// deprecated annotation, label or field is replaced by its successor.
//
// A plan is safe if the server's own conversion of the old object equals the new
// object, after both got their defaults. That is what a server shows of the
// stored object in the new version. The package restates the defaults and
// conversions of k8s.io/kubernetes (pkg/apis/*/*/{defaults,conversion}.go),
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator of 1.16 to 1.37. A
// default that differs between versions is written out. The tests compare the
// results with the answers of released servers.
package conversion
