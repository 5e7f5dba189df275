// The packages that the tests of the Go rules analyse. The client libraries are
// stubs, written by analyzers/internal/signatures; so is this file.
module example.org/clients

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
	github.com/urfave/cli/v2 v2.27.7
	github.com/urfave/cli/v3 v3.4.1
	github.com/alecthomas/kong v1.12.1
	github.com/alecthomas/kingpin/v2 v2.4.0
	github.com/spf13/viper v1.21.0
	github.com/robfig/cron/v3 v3.0.1
	github.com/slok/kubewebhook/v2 v2.7.0
	github.com/modelcontextprotocol/go-sdk v1.7.0
	github.com/operator-framework/operator-lib v0.19.0
	k8s.io/helm v2.17.0+incompatible
	helm.sh/helm/v3 v3.21.3
)

replace (
	k8s.io/apimachinery => ./stubs/k8s.io/apimachinery
	k8s.io/api => ./stubs/k8s.io/api
	k8s.io/client-go => ./stubs/k8s.io/client-go
	k8s.io/cli-runtime => ./stubs/k8s.io/cli-runtime
	k8s.io/kubectl => ./stubs/k8s.io/kubectl
	k8s.io/apiserver => ./stubs/k8s.io/apiserver
	sigs.k8s.io/controller-runtime => ./stubs/sigs.k8s.io/controller-runtime
	github.com/fluxcd/pkg/ssa => ./stubs/github.com/fluxcd/pkg/ssa
	github.com/fluxcd/cli-utils => ./stubs/github.com/fluxcd/cli-utils
	github.com/spf13/pflag => ./stubs/github.com/spf13/pflag
	github.com/spf13/cobra => ./stubs/github.com/spf13/cobra
	k8s.io/utils => ./stubs/k8s.io/utils
	k8s.io/klog/v2 => ./stubs/k8s.io/klog/v2
	github.com/go-logr/logr => ./stubs/github.com/go-logr/logr
	gomodules.xyz/jsonpatch/v2 => ./stubs/gomodules.xyz/jsonpatch/v2
	sigs.k8s.io/cluster-api => ./stubs/sigs.k8s.io/cluster-api
	github.com/crossplane/crossplane-runtime/v2 => ./stubs/github.com/crossplane/crossplane-runtime/v2
	kmodules.xyz/client-go => ./stubs/kmodules.xyz/client-go
	github.com/urfave/cli/v2 => ./stubs/github.com/urfave/cli/v2
	github.com/urfave/cli/v3 => ./stubs/github.com/urfave/cli/v3
	github.com/alecthomas/kong => ./stubs/github.com/alecthomas/kong
	github.com/alecthomas/kingpin/v2 => ./stubs/github.com/alecthomas/kingpin/v2
	github.com/spf13/viper => ./stubs/github.com/spf13/viper
	github.com/robfig/cron/v3 => ./stubs/github.com/robfig/cron/v3
	github.com/slok/kubewebhook/v2 => ./stubs/github.com/slok/kubewebhook/v2
	github.com/modelcontextprotocol/go-sdk => ./stubs/github.com/modelcontextprotocol/go-sdk
	github.com/operator-framework/operator-lib => ./stubs/github.com/operator-framework/operator-lib
	k8s.io/helm => ./stubs/k8s.io/helm
	helm.sh/helm/v3 => ./stubs/helm.sh/helm/v3
)
