package cli

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
)

type apiFlags struct {
	target                        string
	featureGates, runtimeConfig   []string
	deprecated, removed, disabled bool
	output, color                 string
}

const apiHelp = `Print the history of Kubernetes APIs: when each version of a kind is deprecated and
removed, what replaces it, and whether the target serves it.

Without a NAME, all APIs of the target are listed. --deprecated, --removed and
--disabled list the APIs that are so in at least one version of the target. A NAME is
  - a group, such as policy,
  - a version, such as policy/v1beta1 or v1,
  - a kind, such as Ingress, also with a version: policy/v1beta1/PodSecurityPolicy,
  - a resource or its short name: ingresses, ingresses.extensions, ing.
Named APIs are listed even if the target does not have them.

A NAME can also be a well-known project (cert-manager), or a group, version, kind or
resource of its custom resources. kubevet knows the definitions in each release of
these projects.

STATE is what the target's server does with the API:
  served      accepts requests
  disabled    serves it only if it is enabled
  removed     no longer has it
  not yet     does not have it yet
For custom resources, it is what the releases of the project do with the API.

The exit status is 1 if a NAME is unknown. It is 0 if the list is empty.`

func apiCommand(a *app.App) *cobra.Command {
	f := &apiFlags{}
	cmd := &cobra.Command{
		Use:     "api [flags] [NAME]...",
		Aliases: []string{"apis"},
		Short:   "Print when Kubernetes APIs are deprecated and removed, and what replaces them",
		Long:    apiHelp,
		Example: `  kubevet api --target 1.37 --deprecated
  kubevet api --target 1.25..1.37 --removed
  kubevet api policy/v1beta1
  kubevet api Ingress -o json
  kubevet api cert-manager.io/v1alpha2`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return slices.Concat(apiWords(), shortWords(), projectWords()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.OneFormat(f.output, apiFormats()...); err != nil {
				return err
			}
			color, err := a.Colors(f.color, a.Stdout)
			if err != nil {
				return err
			}
			t, err := settings.MakeTarget(f.target, f.featureGates, f.runtimeConfig, cmd.Flags().Changed("target"), &config.Config{})
			if err != nil {
				return app.Usage(err)
			}
			return printAPIs(a, f, t, args, color)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	settings.TargetFlags(cmd, &f.target, &f.featureGates, &f.runtimeConfig)
	flags.BoolVar(&f.deprecated, "deprecated", false, "only APIs that are deprecated, and not yet removed")
	flags.BoolVar(&f.removed, "removed", false, "only APIs that are removed")
	flags.BoolVar(&f.disabled, "disabled", false, "only APIs that are served only if enabled")
	app.FormatFlag(cmd, &f.output, "table", apiFormats()...)
	app.ColorFlag(cmd, &f.color)
	return cmd
}

func apiFormats() []string { return []string{"table", "json", "jsonl", "markdown"} }

// printAPIs prints the APIs that have one of the names and pass the filters in f. Without
// names, it prints all resources that pass the filters.
func printAPIs(a *app.App, f *apiFlags, t lifecycle.Target, names []string, color bool) error {
	var rows []apiRow
	known := make([]bool, len(names))
	for api := range lifecycle.All() {
		wanted := len(names) == 0 && api.Class() == lifecycle.Resource
		for i, name := range names {
			if matchesName(api, longName(name)) {
				known[i], wanted = true, true
			}
		}
		if wanted && f.includes(api, t, len(names) > 0) {
			rows = append(rows, newAPIRow(api, t))
		}
	}
	custom, known := projectRows(f, names, known)
	if err := writeAPIs(a, rows, custom, t, f.output, color); err != nil {
		return err
	}
	for i, ok := range known {
		if !ok {
			a.Complain("no Kubernetes release from %v to %v, and no known project, has an API called %q%s", lifecycle.Oldest, lifecycle.Newest, names[i],
				nearest.Question(names[i], append(apiWords(), projectWords()...)))
			a.Status = app.StatusFindings
		}
	}
	if len(rows)+len(custom) == 0 && a.Status == app.StatusClean {
		a.Complain("none of these APIs at Kubernetes %v", t)
	}
	return nil
}

// includes reports whether an API passes the filters. If the user gave filters such as
// --removed, one filter must match in some minor of t. Without filters, an API passes if
// the user named it (byName), or if some minor of t has the API, enabled or disabled.
func (f *apiFlags) includes(api lifecycle.API, t lifecycle.Target, byName bool) bool {
	if !f.deprecated && !f.removed && !f.disabled {
		return byName || api.ServedMinors(t)|api.DisabledMinors(t) != 0
	}
	return f.deprecated && deprecatedMinors(api, t) != 0 ||
		f.removed && api.RemovedMinors(t) != 0 ||
		f.disabled && api.DisabledMinors(t) != 0
}

func deprecatedMinors(api lifecycle.API, t lifecycle.Target) lifecycle.Minors {
	var minors lifecycle.Minors
	for m := range t.All() {
		if api.IsDeprecated(m) {
			minors = minors.With(m)
		}
	}
	return minors
}

// matchesName reports whether a name that the user typed, in any case, may mean the API.
// A resource may be named by its kind, group, version or resource name. List kinds and
// subresources match only their kind, which may have its group and version.
func matchesName(api lifecycle.API, name string) bool {
	is := func(s string) bool { return strings.EqualFold(name, s) }
	if is(api.Kind()) || is(api.GroupVersion()+"/"+api.Kind()) || is(api.String()) {
		return true
	}
	if api.Class() != lifecycle.Resource {
		return false
	}
	group := api.Group()
	switch {
	case is(api.GroupVersion()), is(api.Resource()), group != "" && is(group):
		return true
	case group == "":
		return is("core")
	}
	return is(api.Resource()+"."+group) || is(api.Resource()+"."+api.Version()+"."+group) || is(api.Kind()+"."+group)
}

// apiWords returns the kinds, resources, groups and versions of all APIs, for shell
// completion and suggestions.
func apiWords() []string {
	var words []string
	for api := range lifecycle.All() {
		if api.Class() == lifecycle.Resource {
			words = append(words, api.Kind(), api.GroupVersion(), api.Group(), api.Resource())
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
