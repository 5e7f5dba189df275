// Package caller runs commands with functions of another package.
package caller

import (
	"context"

	"example.org/clients/kubectldryrun/runner"
)

func calls(ctx context.Context, file string, flags []string) {
	runner.Kubectl(ctx, "apply", "--dry-run", "-f", file)             // want `kubectl warns: --dry-run is deprecated`
	runner.Run("oc", []string{"apply", "--dry-run=true", "-f", file}) // want `oc warns: --dry-run=true is deprecated`
	runner.Shell("kubectl delete --dry-run=false -f " + file)         // want `kubectl writes, and warns: --dry-run=false is deprecated`
	runner.Tool{}.Apply(file, "--dry-run")                            // want `kubectl warns: --dry-run is deprecated`

	runner.Kubectl(ctx, "apply", "--dry-run=server", "-f", file)
	runner.Kubectl(ctx, flags...)
	runner.Run("helm", []string{"upgrade", "--dry-run"})
	runner.Shell("helm upgrade --dry-run")
	runner.Tool{}.Apply(file, flags...)
}
