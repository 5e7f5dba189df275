// Package podwarning predicts the warnings of a kube-apiserver about pod specs:
// about Pods and about every workload kind with a pod template.
//
// Source: these files in k8s.io/kubernetes, in every release from 1.19.16 to
// 1.37.1.
//
//	pkg/api/pod/warnings.go                      warnings about a pod spec
//	pkg/api/node/util.go                         node labels and node selector terms
//	pkg/api/job/warnings.go                      job specs
//	pkg/api/persistentvolumeclaim/util.go        claim specs
//	pkg/registry/{core,apps,batch}/*/strategy.go which objects are checked, and when
//	pkg/api/pod/util.go                          fields behind disabled gates
//	pkg/apis/core/v1/defaults.go                 defaults of decoding
//
// Changes by release:
//
//	1.19–1.21  no warnings
//	1.22       the first warnings
//	1.23, 1.25, 1.27  texts about seccomp annotations
//	1.25, 1.27, 1.28  texts about volume plugins
//	1.26       claims in volumes and in StatefulSets; up to here, a seccomp
//	           annotation of a Pod becomes a field
//	1.27       names that are not host names, negative grace periods
//	1.28       null label selectors, ports; repeated variables that use the
//	           former value have no warning, repeated volumes are refused; big Jobs
//	1.29       TZ in the schedule of a new CronJob is refused
//	1.30       AppArmor annotations
//	1.31       more node labels; image volumes, which a gate drops
//	1.32       overlapping paths in volumes; if a projected source has no paths,
//	           1.32 and 1.33 use those of the previous source
//	1.33       addresses, port names, values of preferred node selector terms,
//	           gitRepo behind a gate, revisionHistoryLimit
//	1.34       an AppArmor annotation that repeats the pod's field has no warning
//	1.35       label values are measured in bytes
//
// The warnings have the server's order, except that the server iterates over
// spec.nodeSelector in random order. Here its warnings have the order of the
// document.
package podwarning
