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

// sleepGate is the gate of the sleep action.
const sleepGate = "PodLifecycleSleepAction"

// sleepCommand reports preStop commands that do nothing but sleep where every
// server of the target has an action for it.
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

// sleepActionIn reports whether every server of a target has the sleep action.
func sleepActionIn(t lifecycle.Target) bool {
	for m := range t.All() {
		if !t.GateEnabled(sleepGate, m) {
			return false
		}
	}
	return t.From != 0
}

// sleepHook is a preStop hook that does nothing but sleep.
type sleepHook struct {
	path    conversion.Path // of the hook
	command *wire.Field
	seconds int64
}

// sleepCommands gives the hooks of an object that do nothing but sleep, for as
// long as the server lets an action sleep.
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

// onlySleep gives for how long a command sleeps that does nothing else; 0 for
// one that does.
func onlySleep(command []string) time.Duration {
	if len(command) == 2 && isSleep(command[0]) {
		return sleepArgs(command[1:])
	}
	if len(command) != 3 || !isShell(command[0]) {
		return 0
	}
	text := script(command[1:])
	if !strings.Contains(text, "sleep") || len(text) > maxScript {
		return 0
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) != 1 {
		return 0
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return 0
	}
	var args []string
	for _, w := range call.Args {
		text, ok := literal(w)
		if !ok {
			return 0
		}
		args = append(args, text)
	}
	if len(args) > 0 && args[0] == "exec" {
		args = args[1:]
	}
	if len(args) != 2 || !isSleep(args[0]) {
		return 0
	}
	return sleepArgs(args[1:])
}

// isSleep reports whether a program is sleep as every image has it, if it has
// one: another of the name elsewhere may do more.
func isSleep(program string) bool {
	return program == "sleep" || program == "/bin/sleep" || program == "/usr/bin/sleep"
}

// isShell reports whether a program is a shell of the image's.
func isShell(program string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(program, "/usr"), "/bin/") {
	case "sh", "bash", "ash", "dash":
		return true
	}
	return false
}

// pathTo gives the path of a value in a tree by where it is.
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
