package dryrunvalue

import (
	"context"
	"os/exec"
)

func commands(ctx context.Context, file, mode string, rest []string) {
	exec.Command("kubectl", "apply", "--dry-run", "-f", file)                // want `kubectl deprecates --dry-run without a value, which is --dry-run=client`
	exec.CommandContext(ctx, "/usr/bin/kubectl", "create", "--dry-run=true") // want `kubectl deprecates the boolean --dry-run=true, which is --dry-run=client`
	exec.Command("kubectl", "-n", file, "delete", "pod", "--dry-run=false")  // want `kubectl deprecates the boolean --dry-run=false, which is --dry-run=none`
	exec.Command("kubectl", "apply", "--dry-run=All", "-f", file)            // want `kubectl refuses --dry-run=All: the value must be "none", "server" or "client"`
	exec.Command("kubectl", "apply", "--dry-run", "server", "-f", file)      // want `kubectl takes "server" for an argument of its own, and --dry-run for --dry-run=client: write --dry-run=server`
	exec.Command("kubectl", "apply", "--server-dry-run", "-f", file)         // want `kubectl has no flag --server-dry-run since 1.19: use --dry-run=server`
	exec.Command("kubectl.exe", "label", "--dry-run=unchanged", "pod", file) // want `kubectl deprecates --dry-run=unchanged`

	exec.Command("kubectl", "apply", "--dry-run=client", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run=server", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run=none", "-f", file)
	exec.Command("kubectl", "apply", "--dry-run="+mode)
	exec.Command("kubectl", "myplugin", "--dry-run")
	exec.Command("kubectl", "run", "x", "--image=y", "--", "tool", "--dry-run")
	exec.Command("kubectl", rest...)
	exec.Command("helm", "install", "--dry-run")
	exec.Command(file, "apply", "--dry-run")
}
