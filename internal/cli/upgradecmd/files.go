package upgradecmd

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// readManifests lints the arguments and the cluster for the releases on the way.
func (r *run) readManifests(ctx context.Context, args []string) error {
	f := r.flags
	if len(args) == 0 && !f.cluster {
		for _, flag := range []string{"context", "kubeconfig", "request-timeout"} {
			if f.set(flag) {
				return app.Usagef("--%s is for --cluster", flag)
			}
		}
		return nil
	}
	lint := &lintrun.Flags{
		Target: r.target.Range.String(), MaxDocumentSize: "32Mi",
		Cluster: f.cluster, Context: f.context, Kubeconfig: f.kubeconfig, RequestTimeout: f.requestTimeout,
		Flags: settings.Flags{Color: f.color, FailOn: "never", Quiet: true, Config: f.config, NoConfig: f.noConfig,
			Disable: []string{"kubectldryrun"}}, // its releases are kubectl's, and who runs which is not known
	}
	// What a configuration says of the target, of what fails and of a baseline is
	// not for an upgrade.
	lint.Set = func(name string) bool {
		return name == "target" || name == "fail-on" || name == "baseline" || f.set(name) && name != "output" && name != "output-file"
	}
	s, err := lintrun.NewSettings(r.App, lint)
	if err != nil {
		return err
	}
	live, err := lintrun.Connect(ctx, r.App, lint, s)
	if err != nil {
		return err
	}
	judge, err := reporting.New(r.App, s, &lint.Flags)
	if err != nil {
		return err
	}
	in, err := lintrun.Gather(ctx, judge, args, s, []string{s.ConfigFile}, live)
	if err != nil {
		return err
	}
	defer in.Close()
	judge.Outs = &reporting.Outputs{}
	judge.Teller = func(x rules.Finding) error {
		fact := r.findingFact(x)
		fact.Evidence = upgrade.Evidence{Source: "manifests", File: x.File, Line: x.Line, Column: x.Column, Text: x.Message}
		if x.Object != nil {
			fact.Evidence.Object = x.Object.String()
		}
		fact.OwnerKind, fact.OwnerName = "manifest", directory(x.File)
		if x.File != "-" {
			r.own(&fact, x.File)
		}
		if in.Live != nil && x.File == in.Live.Name {
			fact.OwnerKind, fact.OwnerName = liveOwner(&x, in.Live.Name)
			fact.Evidence.Source = "cluster"
			if x.Path == "/metrics" {
				fact.OwnerKind, fact.OwnerName, fact.Attach = "unknown", "somebody, by the server's metrics", true
				r.apiFact(&fact)
			}
		}
		r.facts = append(r.facts, fact)
		return nil
	}
	sum, err := lintrun.Judge(ctx, judge, in)
	if err != nil {
		return err
	}
	for _, u := range sum.Unreadable {
		r.lost(u.File, u.Error)
	}
	r.notes = append(r.notes, s.Notes...)
	if len(args) > 0 {
		text := fmt.Sprintf("%s in %s", app.Count(sum.Objects, "object"), app.Count(sum.Files, "file"))
		if in.Live != nil {
			text = fmt.Sprintf("%s files", fmt.Sprint(len(in.List)))
		}
		left := 0
		for reason, n := range sum.Skipped {
			switch reason {
			case rules.SkipTemplated, rules.SkipNotFetched, rules.SkipNotRendered, rules.SkipTooLarge, rules.SkipBroken, rules.SkipPatch:
				left += n
			}
		}
		if left > 0 {
			text += fmt.Sprintf("; %s not judged ('kubevet lint -v' names them)", app.Count(left, "document"))
		}
		r.sources["manifests"] = upgrade.Source{Kind: "manifests", Given: true, Text: text}
	}
	if in.Live != nil {
		text := fmt.Sprintf("%s: %d objects of %d resources", in.Live.Name, in.Live.Objects, in.Live.Resources)
		if len(in.Live.Unread) > 0 {
			text += fmt.Sprintf("; %d requests failed", len(in.Live.Unread))
		}
		r.sources["cluster"] = upgrade.Source{Kind: "cluster", Given: true, Text: text}
		for _, n := range in.Live.Notes {
			r.notes = append(r.notes, in.Live.Name+": "+n)
		}
		if live.Version != 0 && live.Version != r.way.From {
			r.notes = append(r.notes, fmt.Sprintf("%s runs %s, not %s", in.Live.Name, live.Version, r.way.From))
		}
	}
	return nil
}

// own gives a fact to the team that a CODEOWNERS file names for its file, if any.
func (r *run) own(f *upgrade.Fact, file string) {
	if team := r.owners.Of(r.Path(file)); team != "" {
		f.OwnerKind, f.OwnerName = "team", team
	}
}

// directory is the directory of a file, as the owner of what nobody else owns.
func directory(name string) string {
	if name == "-" {
		return "standard input"
	}
	return path.Dir(filepath.ToSlash(name))
}

// findingFact makes a fact of a finding, without its owner and its evidence.
func (r *run) findingFact(x rules.Finding) upgrade.Fact {
	f := upgrade.Fact{Rule: x.Rule, Severity: x.Severity, Minors: upgrade.ParseMinors(x.Minors), Text: x.Message, Replacement: x.Replacement}
	switch x.Rule {
	case "removedapi", "deprecatedapi", "disabledapi", "futureapi":
		f.API = namedAPI(&x)
		f.Text = ""
	}
	if f.API.IsZero() {
		f.Subject = subjectOf(&x)
		return f
	}
	f.Subject = f.API.String()
	if planned := f.API.LifecycleAt(r.way.To).Removed; planned > r.way.To {
		f.Planned = planned.String()
	}
	return f
}

// apiName is an API as messages name it, by kind or by resource.
var apiName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b((?:[a-z0-9][a-z0-9.-]*/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?) ([A-Za-z]+)`)
})

// namedAPI is the API that a finding is about: the first that its message names.
// That need not be the object's own, which may only have been written by it.
func namedAPI(x *rules.Finding) lifecycle.API {
	for _, m := range apiName().FindAllStringSubmatch(x.Message, -1) {
		if api, ok := lifecycle.LookupGV(m[1], m[2]); ok {
			return api
		}
		group, version, ok := strings.Cut(m[1], "/")
		if !ok {
			group, version = "", m[1]
		}
		if api := apiOfResource(group, version, m[2]); !api.IsZero() {
			return api
		}
	}
	if x.Object != nil {
		api, _ := lifecycle.LookupGV(x.Object.APIVersion, x.Object.Kind)
		return api
	}
	return lifecycle.API{}
}

// index is a place in a list.
var listIndex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[0-9]+\]`) })

// subjectOf names what a finding is about, the same for all objects of a kind.
func subjectOf(x *rules.Finding) string {
	kind := ""
	if x.Object != nil {
		kind = strings.TrimSpace(x.Object.APIVersion + " " + x.Object.Kind)
	}
	field := listIndex().ReplaceAllString(x.Path, "[]")
	return cmp.Or(strings.TrimSpace(kind+" "+field), x.Rule)
}

// What the cluster's findings begin with.
var (
	ofRelease = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:history: )?Helm release ([^,]+),`) })
	ofWriter  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^history: "([^"]+)" wrote `) })
)

// liveOwner is who a finding in a cluster concerns.
func liveOwner(x *rules.Finding, cluster string) (kind, name string) {
	if m := ofRelease().FindStringSubmatch(x.Message); m != nil {
		return "helm", m[1]
	}
	if m := ofWriter().FindStringSubmatch(x.Message); m != nil {
		return "writer", m[1]
	}
	if x.Object != nil && x.Object.Namespace != "" {
		return "namespace", x.Object.Namespace
	}
	return "cluster", cluster
}
