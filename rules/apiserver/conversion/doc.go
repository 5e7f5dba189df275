// Package conversion says how an object of a deprecated or removed API becomes
// the same object in the API that a target serves, and how a deprecated
// annotation, label or field becomes what took its place.
//
// A plan is safe where the server's own conversion of the old object gives the
// new one, after both got their defaults: what a server would show of the stored
// object in the new version. It re-states the defaults and conversions of
// k8s.io/kubernetes (pkg/apis/*/*/{defaults,conversion}.go),
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator of 1.16 to 1.37; a
// default that differs between versions is written out. The tests compare with
// what released servers answer.
package conversion
