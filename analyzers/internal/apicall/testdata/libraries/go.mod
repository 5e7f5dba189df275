// A program and the helper module that it writes through. The client libraries
// are the stubs of the rules' tests.
module example.org/libraries

go 1.24.0

require (
	example.org/helper v1.2.3
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	k8s.io/client-go v0.37.2
	k8s.io/klog/v2 v2.140.0
	k8s.io/utils v0.0.0-20260707023825-cf1189d6abe3
	gomodules.xyz/jsonpatch/v2 v2.5.0
	github.com/go-logr/logr v1.4.4
	sigs.k8s.io/controller-runtime v0.25.2
)

replace (
	example.org/helper => ./helper
	k8s.io/api => ../../../../testdata/stubs/k8s.io/api
	k8s.io/apimachinery => ../../../../testdata/stubs/k8s.io/apimachinery
	k8s.io/client-go => ../../../../testdata/stubs/k8s.io/client-go
	github.com/go-logr/logr => ../../../../testdata/stubs/github.com/go-logr/logr
	gomodules.xyz/jsonpatch/v2 => ../../../../testdata/stubs/gomodules.xyz/jsonpatch/v2
	k8s.io/utils => ../../../../testdata/stubs/k8s.io/utils
	k8s.io/klog/v2 => ../../../../testdata/stubs/k8s.io/klog/v2
	sigs.k8s.io/controller-runtime => ../../../../testdata/stubs/sigs.k8s.io/controller-runtime
)
