// The client libraries are the stubs of kubevet's own tests, so that the example
// needs no network. A real module has none of these replacements.
module example.com/cleaner

go 1.24.0

require (
	github.com/spf13/pflag v1.0.10
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/controller-runtime v0.25.2
)

require (
	github.com/go-logr/logr v1.4.4 // indirect
	gomodules.xyz/jsonpatch/v2 v2.5.0 // indirect
	k8s.io/client-go v0.37.2 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
)

replace (
	github.com/go-logr/logr => ../../analyzers/testdata/stubs/github.com/go-logr/logr
	github.com/spf13/pflag => ../../analyzers/testdata/stubs/github.com/spf13/pflag
	gomodules.xyz/jsonpatch/v2 => ../../analyzers/testdata/stubs/gomodules.xyz/jsonpatch/v2
	k8s.io/api => ../../analyzers/testdata/stubs/k8s.io/api
	k8s.io/apimachinery => ../../analyzers/testdata/stubs/k8s.io/apimachinery
	k8s.io/client-go => ../../analyzers/testdata/stubs/k8s.io/client-go
	k8s.io/klog/v2 => ../../analyzers/testdata/stubs/k8s.io/klog/v2
	sigs.k8s.io/controller-runtime => ../../analyzers/testdata/stubs/sigs.k8s.io/controller-runtime
)
