// Package direct runs commands whose arguments are in the call.
package direct

import (
	"context"
	"os/exec"

	"github.com/spf13/cobra"
)

var _ = cobra.Command{}

const flag = "--dry-run"

func commands(ctx context.Context, file, mode string, rest []string) {
	exec.Command("kubectl", "apply", "--dry-run", "-f", file)                // want `kubectl warns: --dry-run is deprecated and can be replaced with --dry-run=client.`
	exec.CommandContext(ctx, "/usr/bin/kubectl", "create", "--dry-run=true") // want `kubectl warns: --dry-run=true is deprecated \(boolean value\) and can be replaced with --dry-run=client.`
	exec.Command("kubectl", "-n", file, "delete", "pod", "--dry-run=false")  // want `kubectl writes, and warns: --dry-run=false is deprecated`
	exec.Command("kubectl", "apply", "--dry-run=All", "-f", file)            // want `kubectl refuses this: Invalid dry-run value \(All\). Must be "none", "server", or "client"`
	exec.Command("kubectl", "apply", "--dry-run", "server", "-f", file)      // want `kubectl takes "server" for an argument of its own, and --dry-run for --dry-run=client: write --dry-run=server`
	exec.Command("kubectl", "apply", "--server-dry-run", "-f", file)         // want `kubectl refuses this since 1.19: unknown flag: --server-dry-run: use --dry-run=server`
	exec.Command("kubectl.exe", "label", "--dry-run=unchanged", "pod", file) // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", "apply", flag, "-f", file)                       // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", "apply", "-f", file, `--dry-run`)                // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", "apply", "-f", file, "--dry-run", mode)          // want `kubectl warns: --dry-run is deprecated`
	exec.Command("oc", "adm", "drain", "--dry-run", file)                    // want `oc warns: --dry-run is deprecated`
	exec.Command("oc", "rollout", "restart", "--dry-run", file)              // want `oc refuses this: unknown flag: --dry-run`
	exec.Command("kubectl", "apply", "--server-side", "--dry-run", file)     // want `kubectl refuses this since 1.18: --dry-run=client doesn't work with --server-side`

	exec.Command("kubectl", "apply", "--dry-run=client", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run=server", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run=none", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run="+mode)
	exec.Command("kubectl", "myplugin", "--dry-run")
	exec.Command("kubectl", mode, "--dry-run")
	exec.Command("kubectl", "run", "x", "--image=y", "--", "tool", "--dry-run")
	exec.Command("kubectl", rest...)
	exec.Command("oc", "new-app", "--dry-run", "nginx")
	exec.Command("helm", "install", "--dry-run")
	exec.Command(file, "apply", "--dry-run")
}

func shells(file string) {
	exec.Command("sh", "-c", "kubectl create ns x --dry-run -o yaml | kubectl apply -f -")            // want `kubectl warns: --dry-run is deprecated`
	exec.Command("/bin/bash", "-ec", "cd x && KUBECONFIG=y kubectl apply -f "+file+" --dry-run=true") // want `kubectl warns: --dry-run=true is deprecated`
	exec.Command("bash", "-o", "pipefail", "-c", `oc apply -f "$FILE" '--dry-run'`)                   // want `oc warns: --dry-run is deprecated`
	exec.Command("sh", "-c", "kubectl apply -f x --dry-run=client")
	exec.Command("sh", "-c", "echo kubectl apply --dry-run")
	exec.Command("sh", "-c", "kubectl create cm x --from-literal=a=$(date) --dry-run")
	exec.Command("sh", "-c", "kubectl apply -f x # --dry-run")
	exec.Command("sh", "-c", "kubectl $ARGS --dry-run")
	exec.Command("sh", "script", "kubectl apply --dry-run")
}
