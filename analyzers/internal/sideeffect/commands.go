package sideeffect

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// writingCommands maps a program to its subcommands that change something. Calls of other
// programs are not reported.
var writingCommands = map[string][]string{
	"kubectl":   {"apply", "create", "delete", "patch", "replace", "edit", "label", "annotate", "scale", "autoscale", "expose", "run", "set", "taint", "cordon", "uncordon", "drain", "evict"},
	"oc":        {"apply", "create", "delete", "patch", "replace", "edit", "label", "annotate", "scale", "autoscale", "expose", "run", "set", "new-app", "new-project", "process"},
	"helm":      {"install", "upgrade", "uninstall", "delete", "rollback"},
	"git":       {"push"},
	"systemctl": {"start", "stop", "restart", "reload", "enable", "disable", "daemon-reload"},
	"docker":    {"run", "push", "rm", "rmi", "start", "stop", "kill"},
	"terraform": {"apply", "destroy"},
}

// commandLine returns the program and the first word of a command line that changes
// something, and otherwise "". context is set if the first argument is a context.
func commandLine(i ssa.CallInstruction, context bool) string {
	args := i.Common().Args
	if context && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	program, ok := constantText(args[0])
	if !ok {
		return ""
	}
	program = program[strings.LastIndexByte(program, '/')+1:]
	words := writingCommands[program]
	if words == nil || len(args) < 2 {
		return ""
	}
	list := elements(args[1])
	if slices.ContainsFunc(list, func(w string) bool { return strings.Contains(w, "dry-run") }) {
		return ""
	}
	for _, w := range list {
		if strings.HasPrefix(w, "-") {
			continue
		}
		if slices.Contains(words, w) {
			return program + " " + w
		}
		break
	}
	return ""
}

// maxWords is the number of words of a command line that are examined.
const maxWords = 64

// elements returns the constant words of a variadic argument. It is nil if the first word
// is not constant, or if other code creates the slice. Later words that are not constant,
// probably names or paths, are left out.
func elements(v ssa.Value) (list []string) {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok || array.Referrers() == nil {
		return nil
	}
	at := map[int64]string{}
	n := int64(0)
	for _, r := range *array.Referrers() {
		addr, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		index, ok := addr.Index.(*ssa.Const)
		if !ok || addr.Referrers() == nil {
			return nil
		}
		if n = max(n, index.Int64()+1); n > maxWords {
			return nil
		}
		for _, r := range *addr.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == addr {
				if text, ok := constantText(s.Val); ok {
					at[index.Int64()] = text
				}
			}
		}
	}
	for k := range n {
		text, ok := at[k]
		if !ok && k == 0 {
			return nil
		}
		if ok {
			list = append(list, text)
		}
	}
	return list
}
