// A module without programs.
module example.org/shop

go 1.24.0

require (
	k8s.io/apimachinery v0.37.2
	k8s.io/api v0.37.2
	k8s.io/client-go v0.37.2
	k8s.io/cli-runtime v0.37.2
	k8s.io/kubectl v0.37.2
	k8s.io/apiserver v0.37.2
	sigs.k8s.io/controller-runtime v0.25.2
	github.com/fluxcd/pkg/ssa v0.78.0
	github.com/fluxcd/cli-utils v1.3.0
	github.com/spf13/pflag v1.0.10
	github.com/spf13/cobra v1.10.2
	k8s.io/utils v0.0.0-20260707023825-cf1189d6abe3
	k8s.io/klog/v2 v2.140.0
	github.com/go-logr/logr v1.4.4
	gomodules.xyz/jsonpatch/v2 v2.5.0
	sigs.k8s.io/cluster-api v1.14.2
	github.com/crossplane/crossplane-runtime/v2 v2.3.0
	kmodules.xyz/client-go v0.34.2
)

replace (
	k8s.io/apimachinery => ../../../testdata/stubs/k8s.io/apimachinery
	k8s.io/api => ../../../testdata/stubs/k8s.io/api
	k8s.io/client-go => ../../../testdata/stubs/k8s.io/client-go
	k8s.io/cli-runtime => ../../../testdata/stubs/k8s.io/cli-runtime
	k8s.io/kubectl => ../../../testdata/stubs/k8s.io/kubectl
	k8s.io/apiserver => ../../../testdata/stubs/k8s.io/apiserver
	sigs.k8s.io/controller-runtime => ../../../testdata/stubs/sigs.k8s.io/controller-runtime
	github.com/fluxcd/pkg/ssa => ../../../testdata/stubs/github.com/fluxcd/pkg/ssa
	github.com/fluxcd/cli-utils => ../../../testdata/stubs/github.com/fluxcd/cli-utils
	github.com/spf13/pflag => ../../../testdata/stubs/github.com/spf13/pflag
	github.com/spf13/cobra => ../../../testdata/stubs/github.com/spf13/cobra
	k8s.io/utils => ../../../testdata/stubs/k8s.io/utils
	k8s.io/klog/v2 => ../../../testdata/stubs/k8s.io/klog/v2
	github.com/go-logr/logr => ../../../testdata/stubs/github.com/go-logr/logr
	gomodules.xyz/jsonpatch/v2 => ../../../testdata/stubs/gomodules.xyz/jsonpatch/v2
	sigs.k8s.io/cluster-api => ../../../testdata/stubs/sigs.k8s.io/cluster-api
	github.com/crossplane/crossplane-runtime/v2 => ../../../testdata/stubs/github.com/crossplane/crossplane-runtime/v2
	kmodules.xyz/client-go => ../../../testdata/stubs/kmodules.xyz/client-go
)
