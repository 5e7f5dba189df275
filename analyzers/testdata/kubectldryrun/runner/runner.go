// Package runner has functions that run commands for their callers.
package runner

import (
	"context"
	"os/exec"
)

// Kubectl runs kubectl.
func Kubectl(ctx context.Context, args ...string) error { // want Kubectl:`runs \[kubectl --namespace x #2...\]`
	return exec.CommandContext(ctx, "kubectl", append([]string{"--namespace", "x"}, args...)...).Run()
}

// Run runs a program.
func Run(program string, args []string) error { // want Run:`runs \[#1 #2...\]`
	return exec.Command(program, args...).Run()
}

// Shell runs a script.
func Shell(script string) error { // want Shell:`runs \[sh -c #1\]`
	return exec.Command("sh", "-c", script).Run()
}

// Tool runs kubectl unless another program is set.
type Tool struct{ Path string }

// Apply applies a file.
func (t Tool) Apply(file string, flags ...string) error { // want Apply:`runs \[kubectl apply -f #1 #2...\]`
	path := "kubectl"
	if t.Path != "" {
		path = t.Path
	}
	return exec.Command(path, append([]string{"apply", "-f", file}, flags...)...).Run()
}

func checked(file string) error {
	return run("kubectl", "apply", "--dry-run", "-f", file) // want `kubectl warns: --dry-run is deprecated`
}

func run(program string, args ...string) error { return Run(program, args) }

func other(file string) error { return run("velero", "apply", "--dry-run", "-f", file) }

type installer struct{ dryRun bool }

func (i *installer) install(manifest, kustomization string) error {
	args := []string{"apply", "-R", "-f", manifest}
	if kustomization != "" {
		args = []string{"apply", "-k", kustomization}
	}
	if i.dryRun {
		args = append(args, "--server-dry-run") // want `kubectl refuses this since 1.19: unknown flag: --server-dry-run: use --dry-run=server`
	}
	return i.runCommand("kubectl", args...)
}

func (i *installer) runCommand(command string, args ...string) error {
	cmd := exec.Command(command, args...)
	return cmd.Run()
}

func (i *installer) withFlags(command string, flags []string, args ...string) []string {
	all := []string{"--context", "x"}
	all = append(all, command)
	all = append(all, flags...)
	return append(all, args...)
}

func (i *installer) read(files ...string) error {
	return exec.Command("kubectl", i.withFlags("create", []string{"--dry-run", "-oyaml"}, files...)...).Run() // want `kubectl warns: --dry-run is deprecated`
}

// cli has the paths of its programs.
type cli struct{ kubectlPath, helm, kubectlVersion string }

func (c *cli) command(args ...string) *exec.Cmd {
	return exec.Command(c.kubectlPath, append(args, "--context", "x")...)
}

func (c *cli) apply(dir string, dryRun bool) *exec.Cmd {
	args := []string{"apply", "--kustomize", dir}
	if dryRun {
		args = append(args, "--dry-run") // want `kubectl warns: --dry-run is deprecated`
	}
	return c.command(args...)
}

func (c *cli) getKubectlBin() string { return c.kubectlPath }

func (c *cli) create() *exec.Cmd {
	return exec.Command(c.getKubectlBin(), "create", "ns", "x", "--dry-run=true") // want `deprecated .boolean value.`
}

func (c *cli) others() []*exec.Cmd {
	return []*exec.Cmd{
		exec.Command(c.helm, "upgrade", "--dry-run", "x"),
		exec.Command(c.kubectlVersion, "apply", "--dry-run", "x"),
	}
}
