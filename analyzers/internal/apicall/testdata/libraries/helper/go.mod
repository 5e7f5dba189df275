module example.org/helper

go 1.24.0

require (
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	k8s.io/client-go v0.37.2
	k8s.io/klog/v2 v2.140.0
	k8s.io/utils v0.0.0-20260707023825-cf1189d6abe3
	gomodules.xyz/jsonpatch/v2 v2.5.0
	github.com/go-logr/logr v1.4.4
	sigs.k8s.io/controller-runtime v0.25.2
)
