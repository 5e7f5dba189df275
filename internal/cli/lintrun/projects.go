package lintrun

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/manifestlint/additional"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/kubevet/kubevet/rules/projects"
)

// targetVersions returns the versions of components to check for. The flag
// --target-versions overrides the configuration.
func targetVersions(f *Flags, c *config.Config) map[string]string {
	versions := maps.Clone(c.TargetVersions)
	if versions == nil {
		versions = map[string]string{}
	}
	maps.Copy(versions, f.TargetVersions)
	return versions
}

// projectReleases returns the releases of well-known projects to check for, by project.
// list is the user's list of deprecated versions, or nil. The notes name releases that
// are newer than kubevet's table.
func projectReleases(f *Flags, c *config.Config, list *additional.Versions) (map[string]projects.Release, []string, error) {
	releases := map[string]projects.Release{}
	var notes []string
	versions := targetVersions(f, c)
	for _, component := range slices.Sorted(maps.Keys(versions)) {
		if component == additional.Kubernetes {
			continue
		}
		version := versions[component]
		fail := func(format string, args ...any) error {
			if _, isFlag := f.TargetVersions[component]; isFlag {
				return app.Usagef("--target-versions %.64s=%.64s: %s", component, version, fmt.Sprintf(format, args...))
			}
			return app.Usage(c.Errorf("targetVersions."+component, format, args...))
		}
		project, ok := projects.Lookup(component)
		if !ok {
			if list != nil && slices.Contains(list.Components(), component) {
				continue
			}
			return nil, nil, fail("--additional-versions is needed for %.64s, which is not a known project%s", component, nearest.Question(component, projectNames()))
		}
		release, err := projects.ParseRelease(version)
		if err != nil {
			return nil, nil, fail("%v", err)
		}
		newest := project.Newest()
		if release.Compare(newest) > 0 {
			notes = append(notes, fmt.Sprintf("%s %s is newer than the known releases: %s is used", component, release, newest))
			release = newest
		}
		if closest, ok := project.Closest(release); !ok || closest != release {
			return nil, nil, fail("%s has no release %s: want %s to %s", component, release, project.Oldest(), newest)
		}
		releases[component] = release
	}
	return releases, notes, nil
}

// ProjectVersions returns the names of projects in the form "cert-manager=", for shell
// completion.
func ProjectVersions() []string {
	names := projectNames()
	for i := range names {
		names[i] += "="
	}
	return names
}

func projectNames() []string {
	var names []string
	for p := range projects.All() {
		names = append(names, p.Name)
	}
	return names
}
