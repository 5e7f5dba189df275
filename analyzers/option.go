package analyzers

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/scope"
)

// Set sets options by their names, rule.name, and returns a function that
// brings back the values that they had. Until then the change holds for every
// run in this process: an analyzer is one value for all of it.
//
// Two options belong to no rule. With "tests" set to "true", the rules report in test
// files, too. With "severities" set to "true", each message begins with the severity of
// the finding, as in "info: …", for drivers that do not call Severity.
func Set(options map[string]string) (restore func(), err error) {
	var undo []func()
	restore = func() {
		for _, f := range undo {
			f()
		}
	}
	for option, value := range options {
		rule, name, _ := strings.Cut(option, ".")
		f := scope.Analyzer.Flags.Lookup(option)
		for _, a := range each() {
			if a.Name == rule {
				f = a.Flags.Lookup(name)
			}
		}
		if f == nil {
			restore()
			return nil, fmt.Errorf("no rule has an option %s", option)
		}
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			restore()
			return nil, fmt.Errorf("option %s: %q: %w", option, value, err)
		}
		undo = append(undo, func() {
			// It was the value before, so it is one that can be set.
			_ = f.Value.Set(before)
		})
	}
	return restore, nil
}

// SetLater lets a function give the value of an option, rule.name, once a
// package turns up that needs it, and returns a function that empties the option
// again. It holds as Set does. Few options can be given later; one that is set
// already stays as it is.
func SetLater(option string, value func() string) (restore func(), err error) {
	rule, name, _ := strings.Cut(option, ".")
	for _, a := range each() {
		f := a.Flags.Lookup(name)
		if a.Name != rule || f == nil {
			continue
		}
		later, ok := f.Value.(interface{ SetLater(func() string) })
		if !ok {
			break
		}
		if f.Value.String() == "" {
			later.SetLater(value)
		}
		return func() { _ = f.Value.Set("") }, nil
	}
	return nil, fmt.Errorf("no rule has an option %s that can be given later", option)
}

// Strict is what the strict mode sets beside turning on all rules: those that
// are on by default have a mode for every single call.
func Strict() map[string]string { return map[string]string{"fieldmanager.calls": "true"} }

// Target is what sets the Kubernetes version or range, such as "1.31..1.37", that
// code must work with, in all rules that depend on it.
func Target(version string) map[string]string {
	options := map[string]string{}
	for _, a := range each() {
		if a.Flags.Lookup("target") != nil {
			options[a.Name+".target"] = version
		}
	}
	return options
}
