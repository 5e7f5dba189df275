package analyzers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/scope"
)

// Set sets options, and returns a function that restores their previous values. A key is
// RULE.NAME, such as applyforce.mode. All runs in the process share one value of each
// analyzer, so all of them use the new values until restore is called.
//
// Two options belong to no rule:
//   - With "tests": "true", the rules also report in test files.
//   - With "severities": "true", each message begins with the severity of the finding, as
//     in "info: …", for drivers that do not call Severity.
//
// If an option is unknown or a value is not valid, Set returns an error and changes
// nothing.
func Set(options map[string]string) (restore func(), err error) {
	var undo []func()
	restore = func() {
		for _, f := range undo {
			f()
		}
	}
	for _, option := range slices.Sorted(maps.Keys(options)) { // the same error in each run
		value := options[option]
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
			// Set accepted this value before, so it cannot fail.
			_ = f.Value.Set(before)
		})
	}
	return restore, nil
}

// SetLater sets an option, RULE.NAME, to the result of a function, which is called for each
// package that needs the option. If the option has a value already, SetLater does nothing.
// It returns a function that empties the option.
//
// It returns an error if the option is unknown or needs its value at once. As with Set,
// every run in the process uses the value.
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

// Strict returns the options of the strict mode, which also turns on all rules. With them,
// fieldmanager reports each write separately.
func Strict() map[string]string { return map[string]string{"fieldmanager.calls": "true"} }

// Target returns the options that set the target of all rules with a target. version is a
// Kubernetes version or a range, such as "1.31..1.37".
func Target(version string) map[string]string {
	options := map[string]string{}
	for _, a := range each() {
		if a.Flags.Lookup("target") != nil {
			options[a.Name+".target"] = version
		}
	}
	return options
}
