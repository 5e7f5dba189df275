package lintrun

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// plutoTarget sets the target from --target-versions k8s=v1.30. It also accepts --target
// k8s=v1.30, as in pluto's -t.
func plutoTarget(f *Flags) error {
	if strings.Contains(f.Target, "=") {
		given := f.Target
		f.Target = ""
		for part := range strings.SplitSeq(given, ",") {
			component, version, ok := strings.Cut(part, "=")
			if !ok || component == "" {
				return app.Usagef("--target %.64q: want a version such as 1.33, or COMPONENT=VERSION", given)
			}
			if f.TargetVersions == nil {
				f.TargetVersions = map[string]string{}
			}
			f.TargetVersions[component] = version
		}
	}
	kubernetes, ok := f.TargetVersions[additional.Kubernetes]
	if !ok {
		if f.Set("target") && f.Target == "" && len(f.TargetVersions) > 0 {
			f.Target = lifecycle.Newest.String()
		}
		return nil
	}
	if f.Set("target") && f.Target != "" {
		return app.Usagef("--target and --target-versions k8s=%s exclude each other", kubernetes)
	}
	f.Target = kubernetes
	return nil
}

// additionalVersions returns the user's list of deprecated APIs. The flag
// --additional-versions or the key additionalVersions names its file. If both are
// missing, the result is nil.
func additionalVersions(a *app.App, f *Flags, c *config.Config) (*additional.Versions, error) {
	file, name := treefile.File{}, f.AdditionalVersions
	switch {
	case name != "":
		file.Path = a.Path(name)
	case c.AdditionalVersions != "" && !f.Set("additional-versions"):
		var err error
		if file, err = c.Resolve("additionalVersions", 0, c.AdditionalVersions, "--additional-versions"); err != nil {
			return nil, app.Usage(err)
		}
		name = a.Name(file.Path)
	default:
		return nil, nil
	}
	data, err := file.Read(additional.MaxSize)
	if err != nil {
		return nil, app.Usage(fmt.Errorf("--additional-versions: %w", app.Bare(err, name)))
	}
	list, err := additional.Parse(filepath.ToSlash(name), data)
	if err != nil {
		return nil, app.Usage(err)
	}
	components := list.Components()
	for component, version := range targetVersions(f, c) {
		if !slices.Contains(components, component) || component == additional.Kubernetes {
			continue
		}
		v, err := additional.ParseVersion(version)
		if err != nil {
			return nil, app.Usagef("target version of %s: %w", component, err)
		}
		list.Targets[component] = v
	}
	if component := list.Untargeted(); component != "" {
		return nil, app.Usagef("%s: component %.64q has no target version: add it to target-versions, or --target-versions %s=VERSION", name, component, component)
	}
	return list, nil
}
