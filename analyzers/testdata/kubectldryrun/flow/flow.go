// Package flow runs commands whose arguments other code builds.
package flow

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

var base = []string{"--context", "x", "apply"}

func appended(file string, dryRun bool) *exec.Cmd {
	args := []string{"create", "-f", file}
	if dryRun {
		args = append(args, "--dry-run") // want `kubectl warns: --dry-run is deprecated`
	}
	return exec.Command("kubectl", args...)
}

func appendedToday(file string, dryRun bool) *exec.Cmd {
	args := []string{"create", "-f", file}
	if dryRun {
		args = append(args, "--dry-run=client")
	}
	return exec.Command("kubectl", args...)
}

func otherProgram(file string) *exec.Cmd {
	args := []string{"create", "-f", file}
	args = append(args, "--dry-run")
	return exec.Command("velero", args...)
}

func eitherCommand(file string, remove bool) *exec.Cmd {
	var args []string
	if remove {
		args = []string{"delete", "-f", file}
	} else {
		args = []string{"get", "-f", file}
	}
	args = append(args, "--dry-run=true") // want `kubectl warns: --dry-run=true is deprecated`
	return exec.Command("kubectl", args...)
}

func later(file string) *exec.Cmd {
	args := []string{"apply", "-f", file}
	cmd := exec.Command("kubectl", args...)
	args = append(args, "--dry-run")
	_ = args
	return cmd
}

func strategy(server bool) *exec.Cmd {
	flag := "--dry-run" // want `kubectl warns: --dry-run is deprecated`
	if server {
		flag = "--dry-run=server"
	}
	return exec.Command("kubectl", "apply", "-f", "x", flag)
}

func booleans(dryRun bool, mode string) {
	exec.Command("kubectl", "apply", fmt.Sprintf("--dry-run=%t", dryRun))         // want `kubectl deprecates a boolean --dry-run: use --dry-run=client for true and --dry-run=none for false`
	exec.Command("kubectl", "apply", fmt.Sprintf("--dry-run=%v", dryRun))         // want `kubectl deprecates a boolean --dry-run`
	exec.Command("kubectl", "apply", "--dry-run="+strconv.FormatBool(dryRun))     // want `kubectl deprecates a boolean --dry-run`
	exec.Command("kubectl", "apply", fmt.Sprintf("--%s=%v", "dry-run", "server")) // silent: the current form
	exec.Command("kubectl", "apply", fmt.Sprintf("--%s", "server-dry-run"))       // want `unknown flag: --server-dry-run`
	exec.Command("kubectl", "apply", fmt.Sprintf("--dry-run=%v", mode))
	exec.Command("kubectl", "apply", fmt.Sprintf("--dry-run-%v", dryRun))
}

func others(rest []string) {
	exec.Command("kubectl", slices.Concat(base, []string{"--dry-run"}, rest)...)      // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", strings.Fields("apply --dry-run -f x")...)                // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", append([]string{"--dry-run=true", "create"}, rest...)...) // want `kubectl warns: --dry-run=true is deprecated`
	exec.Command("kubectl", append(rest, "apply", "--dry-run")...)                    // want `kubectl warns: --dry-run is deprecated`
	exec.Command("kubectl", append(rest, "--dry-run")...)
	exec.Command("kubectl", append([]string{"--dry-run"}, rest...)...)
	exec.Command("kubectl", arguments("x")...)
}

func arguments(file string) []string {
	if file == "" {
		return nil
	}
	return []string{"replace", "--dry-run", "-f", file} // want `kubectl warns: --dry-run is deprecated`
}

func forVersion(file string, kubectlVersion func() int) *exec.Cmd {
	args := []string{"apply", "-f", file}
	if oldVersion() {
		args = append(args, "--server-dry-run")
	} else {
		args = append(args, "--dry-run=server")
	}
	return exec.Command("kubectl", args...)
}

func oldVersion() bool { return false }

func loops(files []string) *exec.Cmd {
	var args []string
	for _, f := range files {
		args = append(args, "-f", f)
	}
	args = append([]string{"apply"}, args...)
	args = append(args, "--dry-run") // want `kubectl warns: --dry-run is deprecated`
	func() { args = append(args, "-o", "yaml") }()
	return exec.Command("kubectl", args...)
}

func cyclic() *exec.Cmd {
	a, b := []string{"apply"}, []string{"--dry-run"}
	for range 2 {
		a, b = b, a
	}
	return exec.Command("kubectl", a...)
}

func recursive(n int) []string {
	if n == 0 {
		return nil
	}
	return append(recursive(n-1), "--dry-run")
}

func callsRecursive() *exec.Cmd { return exec.Command("kubectl", recursive(3)...) }

func optional(dryRun bool) *exec.Cmd {
	var flag string
	if dryRun {
		flag = "--dry-run" // want `kubectl warns: --dry-run is deprecated`
	}
	return exec.Command("kubectl", "apply", "-f", "x", flag)
}

func literal() func(args ...string) *exec.Cmd {
	return func(args ...string) *exec.Cmd {
		args = append(args, "--dry-run")
		return exec.Command("kubectl", args...)
	}
}

func preset(program string, args ...string) *exec.Cmd {
	if program == "" {
		program = "kubectl"
	}
	return exec.Command(program, args...)
}

func usesPreset() *exec.Cmd { return preset("velero", "create", "--dry-run") }

func eachFile(files []string) *exec.Cmd {
	args := []string{"apply"}
	for _, f := range files {
		args = append(args, "-f", f, "--dry-run=true") // want `kubectl warns: --dry-run=true is deprecated`
	}
	return exec.Command("kubectl", args...)
}

func one(script string) { exec.Command("bash", "-c", script).Run() }

func several(ns string, old bool) {
	cmd := fmt.Sprintf("kubectl create ns %s --dry-run -o yaml | kubectl apply -f -", ns) // want `kubectl warns: --dry-run is deprecated`
	one(cmd)
	cmd = fmt.Sprintf("kubectl create ns %s --dry-run=client -o yaml", ns)
	one(cmd)
	cmd = "kubectl delete ns --dry-run=false " + ns
	cmd = "helm list"
	one(cmd)
	if old {
		cmd = "kubectl create ns x --dry-run"
	}
	one(cmd)
	cmd += " --dry-run"
	one(cmd)
}

// Each list is appended to the other list, in a loop.
func entangled() *exec.Cmd {
	a, b := []string{"apply"}, []string{"-f"}
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	a, b = append(a, b...), append(b, a...)
	_ = b
	return exec.Command("kubectl", a...)
}

func doubling() *exec.Cmd {
	a := []string{"apply", "-f"}
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, a...)
	a = append(a, "--dry-run")
	return exec.Command("kubectl", a...)
}
