// Package admitted makes the object of a request as the admission plugins of a
// kube-apiserver see it, for CEL policies and match conditions.
//
// The server decodes the body and sets the defaults of the version (Decoded).
// Built-in plugins then add fields (Plugins), and mutating policies see the
// result. Before the validating plugins, the registry's strategy sets, clears
// and drops fields (Prepared).
//
// Nothing is invented: fields whose values depend on the cluster's state or on
// chance are listed by Unknowable.
//
// The package restates pkg/apis/*/*/defaults.go and zz_generated.defaults.go,
// plugin/pkg/admission/* and pkg/registry/*/*/strategy.go of k8s.io/kubernetes
// 1.26 to 1.37. Its tests compare the results with the objects that released
// servers returned for dry runs.
package admitted
