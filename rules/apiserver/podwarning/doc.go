// Package podwarning gives the warnings that a kube-apiserver sends about pod
// specs: about Pods and about every workload kind with a pod template.
//
// It re-states, of k8s.io/kubernetes,
//
//	pkg/api/pod/warnings.go                      what is said about a pod spec
//	pkg/api/node/util.go                         node labels and node selector terms
//	pkg/api/job/warnings.go                      job specs
//	pkg/api/persistentvolumeclaim/util.go        claim specs
//	pkg/registry/{core,apps,batch}/*/strategy.go which object is asked about, and when
//	pkg/api/pod/util.go                          fields behind gates that are off
//	pkg/apis/core/v1/defaults.go                 what decoding adds
//
// read in every release from 1.19.16 to 1.37.1. What differs:
//
//	1.19–1.21  no warnings
//	1.22       the first ones
//	1.23, 1.25, 1.27  texts about seccomp annotations
//	1.25, 1.27, 1.28  texts about volume plugins
//	1.26       claims in volumes and in StatefulSets; a seccomp annotation of a
//	           Pod still becomes a field, up to here
//	1.27       names that are no host names, negative grace periods
//	1.28       null label selectors, ports; repeated variables that use the
//	           former value are let pass, repeated volumes are refused; big Jobs
//	1.29       TZ in the schedule of a new CronJob is refused
//	1.30       AppArmor annotations
//	1.31       more node labels; image volumes, which a gate makes disappear
//	1.32       overlapping paths in volumes; 1.32 and 1.33 take the paths of a
//	           projected source for those of the next one that names none
//	1.33       addresses, port names, values of preferred node selector terms,
//	           gitRepo behind a gate, revisionHistoryLimit
//	1.34       an AppArmor annotation that repeats the pod's field is let pass
//	1.35       label values are measured in bytes
//
// The order is the server's, with one exception: it walks spec.nodeSelector as
// a Go map, in any order; here it is the order of the document.
package podwarning
