package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// plutoFlags are the flags of those who come from pluto.
type plutoFlags struct {
	additionalVersions string
	targetVersions     map[string]string
	plutoExitCodes     bool
}

// Exit statuses of pluto (github.com/FairwindsOps/pluto, pkg/api/output.go,
// GetReturnCode, 5.24.0). Of several the greatest counts.
const (
	plutoError       = 1
	plutoDeprecated  = 2
	plutoRemoved     = 3
	plutoUnavailable = 4
)

// plutoTarget takes what the flags say of Kubernetes' version: --target-versions
// k8s=v1.30, or as pluto's short flag has it, --target k8s=v1.30.
func plutoTarget(f *lintFlags) error {
	if strings.Contains(f.target, "=") {
		given := f.target
		f.target = ""
		for part := range strings.SplitSeq(given, ",") {
			component, version, ok := strings.Cut(part, "=")
			if !ok || component == "" {
				return usagef("--target %.64q: want a version such as 1.33, or COMPONENT=VERSION", given)
			}
			if f.targetVersions == nil {
				f.targetVersions = map[string]string{}
			}
			f.targetVersions[component] = version
		}
	}
	kubernetes, ok := f.targetVersions[additional.Kubernetes]
	if !ok {
		if f.set("target") && f.target == "" && len(f.targetVersions) > 0 {
			f.target = lifecycle.Newest.String()
		}
		return nil
	}
	if f.set("target") && f.target != "" {
		return usagef("--target and --target-versions k8s=%s are one too many", kubernetes)
	}
	f.target = kubernetes
	return nil
}

// additionalVersions reads the list of deprecated APIs that the user keeps; nil
// if there is none.
func (a *app) additionalVersions(f *lintFlags, c *config.Config, configFile string) (*additional.Versions, error) {
	path, name := f.additionalVersions, ""
	switch {
	case path != "":
		path, name = a.path(path), path
	case c.AdditionalVersions != "" && !f.set("additional-versions"):
		path = filepath.FromSlash(c.AdditionalVersions)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(configFile), path)
		}
		name = a.name(path)
	default:
		for _, component := range slices.Sorted(maps.Keys(f.targetVersions)) {
			if component != additional.Kubernetes {
				return nil, usagef("--target-versions %s=%s: without --additional-versions nothing is known of %s", component, f.targetVersions[component], component)
			}
		}
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, usage(fmt.Errorf("--additional-versions: %w", bare(err, name)))
	}
	defer file.Close()
	data, err := config.Read(file)
	if err != nil {
		return nil, usage(fmt.Errorf("--additional-versions: %w", bare(err, name)))
	}
	list, err := additional.Parse(filepath.ToSlash(name), data)
	if err != nil {
		return nil, usage(err)
	}
	for _, component := range slices.Sorted(maps.Keys(f.targetVersions)) {
		if component == additional.Kubernetes {
			continue
		}
		v, err := additional.ParseVersion(f.targetVersions[component])
		if err != nil {
			return nil, usagef("--target-versions %s: %w", component, err)
		}
		if !slices.Contains(list.Components(), component) {
			return nil, usagef("--target-versions: %s has no component %.64q", name, component)
		}
		list.Targets[component] = v
	}
	if component := list.Untargeted(); component != "" {
		return nil, usagef("%s: component %.64q has no version to judge against: add it to target-versions, or --target-versions %s=VERSION", name, component, component)
	}
	return list, nil
}

// plutoCode is the exit status that pluto has for a finding; 0 for one that it
// knows nothing of.
func plutoCode(f *rules.Finding) int {
	switch {
	case f.Rule != "removedapi" && f.Rule != "deprecatedapi":
		return 0
	case f.Replacement == "":
		return plutoUnavailable
	case f.Rule == "removedapi":
		return plutoRemoved
	}
	return plutoDeprecated
}
