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
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// readManifests lints the files in args and the cluster of --cluster, for all releases
// from --from to --to.
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
	flags := &lintrun.Flags{
		Target: r.target.Range.String(), MaxDocumentSize: "32Mi",
		Cluster: f.cluster, KubeContext: f.context, Kubeconfig: f.kubeconfig, RequestTimeout: f.requestTimeout,
		Helm: lintrun.HelmFlags{RenderTimeout: f.renderTimeout},
		Flags: settings.Flags{Color: f.color, FailOn: "never", Quiet: true, Config: f.config, NoConfig: f.noConfig,
			// These rules are off: kubectldryrun depends on the version of kubectl, which
			// is unknown here. unknownkind does not depend on the release.
			Disable: []string{"kubectldryrun", "unknownkind"}},
	}
	// The keys target, fail-on and baseline of the configuration do not apply to an
	// upgrade.
	flags.Set = func(name string) bool {
		return name == "target" || name == "fail-on" || name == "baseline" || f.set(name) && name != "output" && name != "output-file"
	}
	s, err := lintrun.NewSettings(r.App, flags)
	if err != nil {
		return err
	}
	live, err := lintrun.Connect(ctx, r.App, flags, s)
	if err != nil {
		return err
	}
	lint, err := lintrun.New(r.App, s, flags)
	if err != nil {
		return err
	}
	in, err := lint.Gather(ctx, args, live)
	if err != nil {
		return err
	}
	defer in.Close()
	owners, first := newObjectOwners(f.ownerLabels, r.Dir), len(r.facts)
	likely := r.newLikely()
	objects := newObjects(r)
	if in.Live != nil {
		objects.live = in.Live.Name
	}
	lint.Observe = func(e manifestlint.Event) func(manifestlint.Event) error {
		owners.add(e)
		likely.add(e)
		return objects.each(e)
	}
	var found []rules.Finding // findings of r.facts[first:]
	sum, err := lint.Find(ctx, in, lint.Target, func(x rules.Finding) error {
		fact := r.findingFact(x)
		fact.Evidence = upgrade.Evidence{Source: "manifests", File: x.File, Line: x.Line, Column: x.Column, Text: x.Message}
		if x.Object != nil {
			fact.Evidence.Object = x.Object.String()
		}
		fact.OwnerKind, fact.OwnerName = "manifest", directoryOwner(x.File)
		if x.File != "-" {
			r.setTeam(&fact, x.File)
		}
		if in.Live != nil && x.File == in.Live.Name {
			fact.OwnerKind, fact.OwnerName = liveOwner(&x, in.Live.Name)
			fact.Evidence.Source = "cluster"
			if x.Path == "/metrics" {
				fact.OwnerKind, fact.OwnerName, fact.Attach = "unknown", "somebody, by the server's metrics", true
				r.apiFact(&fact)
			}
		}
		r.facts, found = append(r.facts, fact), append(found, x)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range found {
		owners.setOwner(&r.facts[first+i], &found[i], r.Path)
	}
	if live != nil {
		if err := objects.readUpkeep(ctx, live); err != nil {
			return err
		}
	}
	looked, gaps := objects.finish(owners)
	likely.finish(owners)
	for _, u := range sum.Unreadable {
		r.addUnreadable(u.File, u.Error)
	}
	r.notes = append(r.notes, s.Notes...)
	if len(args) > 0 {
		text := fmt.Sprintf("%s in %s", report.Count(sum.Objects, "object"), report.Count(sum.Files, "file"))
		if in.Live != nil {
			text = fmt.Sprintf("%s files", fmt.Sprint(len(in.List)))
		}
		if n := sum.Unchecked.Objects; n > 0 {
			text += fmt.Sprintf("; %s without a schema not checked", report.Count(n, "object"))
		}
		left := 0
		for reason, n := range sum.Skipped {
			switch reason {
			case rules.SkipTemplated, rules.SkipNotFetched, rules.SkipNotRendered, rules.SkipUnrenderedTemplate, rules.SkipTooLarge, rules.SkipBroken, rules.SkipPatch:
				left += n
			}
		}
		if left > 0 {
			text += fmt.Sprintf("; %s not checked ('kubevet lint -v' names them)", report.Count(left, "document"))
		}
		if looked != "" {
			text += "; " + looked
		}
		r.sources["manifests"] = upgrade.Source{Kind: "manifests", Given: true, Text: text, Gaps: gaps}
	}
	if in.Live != nil {
		text := fmt.Sprintf("%s: %d objects of %d resources", in.Live.Name, in.Live.Objects, in.Live.Resources)
		if len(in.Live.Unread) > 0 {
			text += fmt.Sprintf("; %d requests failed", len(in.Live.Unread))
		}
		source := upgrade.Source{Kind: "cluster", Given: true, Text: text}
		if len(args) == 0 {
			if source.Gaps = gaps; looked != "" {
				source.Text += "; " + looked
			}
		}
		r.sources["cluster"] = source
		for _, n := range in.Live.Notes {
			r.notes = append(r.notes, in.Live.Name+": "+n)
		}
		if live.Version != 0 && live.Version != r.versions.From {
			r.notes = append(r.notes, fmt.Sprintf("%s runs %s, not %s", in.Live.Name, live.Version, r.versions.From))
		}
	}
	return nil
}

// setTeam makes the file's team in CODEOWNERS, if any, the owner of a fact.
func (r *run) setTeam(f *upgrade.Fact, file string) {
	if team := r.owners.Of(r.Path(file)); team != "" {
		f.OwnerKind, f.OwnerName = "team", team
	}
}

// directoryOwner returns the directory of a file, which owns facts without another owner.
func directoryOwner(name string) string {
	if name == "-" {
		return "standard input"
	}
	return path.Dir(filepath.ToSlash(name))
}

// findingFact converts a finding to a fact without owner and evidence.
func (r *run) findingFact(x rules.Finding) upgrade.Fact {
	f := upgrade.Fact{Rule: x.Rule, Severity: x.Severity, Minors: upgrade.ParseMinors(x.Minors), Text: x.Message, Replacement: x.Replacement}
	switch x.Rule {
	case "removedapi", "deprecatedapi", "disabledapi", "futureapi":
		f.API = namedAPI(&x)
		f.Text = ""
	}
	if f.API.IsZero() {
		f.Subject = subjectOf(&x)
		if m := nonFunctional().FindStringSubmatch(x.Message); m != nil {
			if at, err := lifecycle.ParseMinor(m[1]); err == nil && at > r.versions.From && at <= r.versions.To {
				f.Planned = at.String()
			}
		}
		if f.Later = isCELError(&x); f.Later && f.Minors.Has(r.versions.From) && !f.Minors.Has(r.versions.To) {
			f.Text = "apply it after the upgrade: " + f.Text
		}
		return f
	}
	f.Subject = f.API.String()
	if planned := f.API.LifecycleAt(r.versions.To).Removed; planned > r.versions.To {
		f.Planned = planned.String()
	}
	return f
}

// nonFunctional matches the part of a server's warning with the release from which on a
// field has no effect.
var nonFunctional = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bnon-functional in v(1\.[0-9]+)\+`)
})

// isCELError reports whether a finding is about a CEL expression that a server cannot
// compile or evaluate. Releases differ in their CEL libraries and limits.
func isCELError(x *rules.Finding) bool {
	return x.Rule == "invalidfield" && x.Object != nil &&
		(strings.HasSuffix(x.Object.Kind, "AdmissionPolicy") || x.Object.Kind == "CustomResourceDefinition" || strings.HasSuffix(x.Object.Kind, "WebhookConfiguration")) &&
		(strings.Contains(x.Message, "compilation failed: ") || strings.Contains(x.Message, "estimated rule cost "))
}

// apiName matches an API version and a kind or resource in a message.
var apiName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b((?:[a-z0-9][a-z0-9.-]*/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?) ([A-Za-z]+)`)
})

// namedAPI returns the first API in the message of a finding. It may differ from the API
// of the object: a finding about managed fields names the API of the fields.
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

// listIndex matches the index of a list item in the path of a field.
var listIndex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[0-9]+\]`) })

// subjectOf returns the kind and the field of a finding, without the name of the object.
func subjectOf(x *rules.Finding) string {
	kind := ""
	if x.Object != nil {
		kind = strings.TrimSpace(x.Object.APIVersion + " " + x.Object.Kind)
	}
	field := listIndex().ReplaceAllString(x.Path, "[]")
	return cmp.Or(strings.TrimSpace(kind+" "+field), x.Rule)
}

// These patterns match the beginnings of messages about clusters.
var (
	ofRelease = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:history: )?Helm release ([^,]+),`) })
	ofWriter  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^history: "([^"]+)" wrote `) })
)

// liveOwner returns the owner for a finding in a cluster.
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
