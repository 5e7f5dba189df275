package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// MakeTarget returns the target of the flags and the configuration. versions is the value
// of --target, and given reports whether the user set this flag. --feature-gates and
// --runtime-config add to the configured settings and override them.
func MakeTarget(versions string, gates, runtime []string, given bool, c *config.Config) (lifecycle.Target, error) {
	if given && versions == "" {
		return lifecycle.Target{}, errors.New("--target needs a version such as 1.33")
	}
	if _, err := lifecycle.NewTarget(versions, nil, nil); err != nil {
		return lifecycle.Target{}, fmt.Errorf("--target: %w", err)
	}
	if !given && c.Target != "" {
		versions = c.Target
		if _, err := lifecycle.NewTarget(versions, nil, nil); err != nil {
			return lifecycle.Target{}, c.Errorf("target", "%v", err)
		}
	}
	allGates, gateErr := settingsOf(c, "featureGates", c.FeatureGates, func(entry string) error {
		_, err := lifecycle.NewTarget(versions, []string{entry}, nil)
		return gateHint(entry, err)
	})
	allRuntime, runtimeErr := settingsOf(c, "runtimeConfig", c.RuntimeConfig, func(entry string) error {
		_, err := lifecycle.NewTarget(versions, nil, []string{entry})
		return err
	})
	if err := errors.Join(gateErr, runtimeErr); err != nil {
		return lifecycle.Target{}, err
	}
	for _, entry := range gates {
		if _, err := lifecycle.NewTarget(versions, []string{entry}, nil); err != nil {
			return lifecycle.Target{}, fmt.Errorf("--feature-gates: %w", gateHint(entry, err))
		}
	}
	if _, err := lifecycle.NewTarget(versions, nil, runtime); err != nil {
		return lifecycle.Target{}, fmt.Errorf("--runtime-config: %w", err)
	}
	return lifecycle.NewTarget(versions, append(allGates, gates...), append(allRuntime, runtime...))
}

// settingsOf returns the entries of a configured mapping in the syntax of the server's
// flags, such as "Name=true". It calls check with each entry and joins the errors.
func settingsOf(c *config.Config, key string, values map[string]bool, check func(entry string) error) ([]string, error) {
	var entries []string
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		entry := name + "=" + strconv.FormatBool(values[name])
		if err := check(entry); err != nil {
			errs = append(errs, c.Errorf(key+"."+name, "%v", err))
		}
		entries = append(entries, entry)
	}
	return entries, errors.Join(errs...)
}

// gateHint adds the most similar feature gate to an error about an unknown feature gate.
func gateHint(entry string, err error) error {
	if err == nil {
		return nil
	}
	name, _, _ := strings.Cut(entry, "=")
	name = strings.TrimSpace(name)
	if known := slices.Collect(lifecycle.Gates()); !slices.Contains(known, name) {
		return fmt.Errorf("%w%s", err, nearest.Question(name, known))
	}
	return err
}
