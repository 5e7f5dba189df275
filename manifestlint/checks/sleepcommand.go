package checks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/podspec"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"mvdan.cc/sh/v3/syntax"
)

// sleepGate is the feature gate of the action preStop.sleep.
const sleepGate = "PodLifecycleSleepAction"

// sleepCommand reports preStop commands that only sleep, if all servers of the
// target have the action preStop.sleep.
func sleepCommand() manifestlint.Check {
	return manifestlint.Check{
		Rule: "sleepcommand",
		Run: func(p *manifestlint.Pass) {
			if !p.Object.Known || !mayHavePods(p.Object) || !sleepActionIn(p.Target) || p.Object.Dumped() && p.Object.Controlled() {
				return
			}
			for _, hook := range sleepCommands(p.Object) {
				p.Report(manifestlint.SpanOfField(hook.command), rules.Finding{
					Path:    hook.path.String() + ".exec.command",
					Message: fmt.Sprintf("preStop runs a program of the image to sleep for %ds; the sleep action needs none", hook.seconds),
				})
			}
		},
		Fix: func(p *manifestlint.Pass, f *rules.Finding) (manifestlint.Change, bool) {
			if !sleepActionIn(p.Target) {
				return manifestlint.Change{}, false
			}
			for _, hook := range sleepCommands(p.Object) {
				if hook.path.String()+".exec.command" != f.Path {
					continue
				}
				seconds := &wire.Value{Kind: wire.Number, Text: strconv.FormatInt(hook.seconds, 10)}
				return manifestlint.Change{
					Message: "use the sleep action",
					Steps: []conversion.Step{{
						Op: conversion.Move, Path: hook.path.Field("exec"), To: hook.path.Field("sleep"),
						Value: &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "seconds", Value: seconds}}},
					}},
					Notes: []string{"A changed pod template starts a rollout, and kubelets before 1.30 do not know the action."},
				}, true
			}
			return manifestlint.Change{}, false
		},
	}
}

// sleepActionIn reports whether all servers of a target have the action
// preStop.sleep.
func sleepActionIn(t lifecycle.Target) bool {
	for m := range t.All() {
		if !t.GateEnabled(sleepGate, m) {
			return false
		}
	}
	return t.From != 0
}

// sleepHook is a preStop hook with a command that only sleeps.
type sleepHook struct {
	path    conversion.Path // path of the hook
	command *wire.Field
	seconds int64
}

// sleepCommands returns the hooks of an object with commands that only sleep,
// for a time that the action preStop.sleep allows.
func sleepCommands(o *manifestlint.Object) []sleepHook {
	var all []sleepHook
	for _, spec := range podspec.Of(o.APIVersion, o.Kind, o.Root) {
		grace, _, ok := spec.GracePeriod()
		if !spec.BuiltIn || !ok {
			continue
		}
		for c := range spec.Containers() {
			hook := c.Value.At("lifecycle", "preStop")
			exec := hook.Get("exec")
			command := exec.Field("command")
			if command == nil || len(hook.Fields) != 1 || len(exec.Fields) != 1 {
				continue
			}
			slept := onlySleep(words(command.Value))
			path, found := pathTo(o.Root, hook)
			if slept <= 0 || slept%time.Second != 0 || slept > time.Duration(grace)*time.Second || !found {
				continue
			}
			all = append(all, sleepHook{path, command, int64(slept / time.Second)})
		}
	}
	return all
}

// onlySleep returns how long a command sleeps, or 0 if it does anything else.
func onlySleep(command []string) time.Duration {
	if len(command) == 2 && isSleep(command[0]) {
		return sleepArgs(command[1:])
	}
	if len(command) != 3 || !isShell(command[0]) {
		return 0
	}
	stmts := parseScript(command[1:])
	if len(stmts) != 1 {
		return 0
	}
	s := stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return 0
	}
	args := literalWords(call)
	if len(args) > 0 && args[0] == "exec" {
		args = args[1:]
	}
	if len(args) != 2 || !isSleep(args[0]) {
		return 0
	}
	return sleepArgs(args[1:])
}

// isSleep reports whether a program is the sleep of coreutils or BusyBox. A
// program sleep in another directory may be a different program.
func isSleep(program string) bool {
	return program == "sleep" || program == "/bin/sleep" || program == "/usr/bin/sleep"
}

// isShell reports whether a program is a shell in one of the usual directories.
func isShell(program string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(program, "/usr"), "/bin/") {
	case "sh", "bash", "ash", "dash":
		return true
	}
	return false
}

// pathTo returns the path of the value v in a tree. It returns false if the
// tree does not contain v.
func pathTo(root, v *wire.Value) (conversion.Path, bool) {
	if root == v {
		return nil, true
	}
	for i := range root.Fields {
		if rest, ok := pathTo(root.Fields[i].Value, v); ok {
			return append(conversion.Fields(root.Fields[i].Name), rest...), true
		}
	}
	for i, item := range root.Items {
		if rest, ok := pathTo(item, v); ok {
			return append(conversion.Path(nil).Item(i), rest...), true
		}
	}
	return nil, false
}
