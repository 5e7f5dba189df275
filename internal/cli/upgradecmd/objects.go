package upgradecmd

import (
	"context"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/certificate"
	"github.com/kubevet/kubevet/internal/upgrade/chart"
	"github.com/kubevet/kubevet/internal/upgrade/defaults"
	"github.com/kubevet/kubevet/internal/upgrade/drain"
	"github.com/kubevet/kubevet/internal/upgrade/failclosed"
	"github.com/kubevet/kubevet/internal/upgrade/programs"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/internal/upgrade/skew"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/components"
)

// objectChecks runs the checks that exist only for upgrades.
type objectChecks struct {
	r *run
	// live is the name of the inputs from the cluster. It is empty without --cluster.
	live string
	all  []seen.Check
}

func newObjects(r *run) *objectChecks {
	return &objectChecks{r: r, all: []seen.Check{
		programs.New(r.versions, manifestlint.Trees), drain.New(r.versions), failclosed.New(r.versions), skew.New(r.versions), certificate.New(r.versions, time.Now()), chart.New(r.versions), defaults.New(r.versions),
	}}
}

// each is the function for manifestlint.Options.Each. It passes an object to the checks.
func (x *objectChecks) each(e manifestlint.Event) func(manifestlint.Event) error {
	root := e.Root
	if e.Object != nil {
		root = e.Object.Root
	}
	if root == nil || e.Object == nil && !isSetting(root) || e.Object != nil && (e.Object.Installed || e.Object.Reading == manifestlint.ReadMetadata) {
		return nil
	}
	return func(e manifestlint.Event) error {
		o := &seen.Object{Root: root}
		if e.Object != nil {
			o.Ref, o.Live = *e.Object.Ref(), e.Object.Dumped() || e.Object.Reading != manifestlint.Written
		} else {
			o.Ref = rules.ObjectRef{APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr("")}
		}
		o.Place = func(at wire.Pos) upgrade.Evidence { return x.evidenceAt(&e, at) }
		x.check(o)
		return nil
	}
}

// isSetting reports whether a document is relevant although it is never sent to a server:
// a configuration file of a Kubernetes program or of k3s, or a Chart.yaml.
func isSetting(root *wire.Value) bool {
	if chart.Is(root) {
		return true
	}
	if kind := root.Get("kind").StringOr(""); kind != "" {
		_, ok := components.ConfigKind(root.Get("apiVersion").StringOr(""), kind)
		return ok
	}
	for _, f := range root.Entries() {
		if name, ok := strings.CutSuffix(strings.TrimSuffix(f.Name, "+"), "-arg"); ok && strings.HasPrefix(name, "kube") {
			return true
		}
	}
	return false
}

func (x *objectChecks) evidenceAt(e *manifestlint.Event, at wire.Pos) upgrade.Evidence {
	f := rules.Finding{File: e.Input.Name, Line: at.Line + e.Lines, Column: at.Column, EndLine: at.Line + e.Lines, EndColumn: at.Column}
	if e.Object != nil {
		f.Object = e.Object.Ref()
	}
	if e.Input.Trace != nil {
		e.Input.Trace(&f)
	}
	source := "manifests"
	if x.live != "" && f.File == x.live {
		source = "cluster"
	}
	return upgrade.Evidence{Source: source, File: f.File, Line: f.Line, Column: f.Column}
}

// readUpkeep reads further objects of a cluster, such as nodes and pods, which the linter
// does not read. It passes them to the checks.
func (x *objectChecks) readUpkeep(ctx context.Context, live *cluster.Connection) error {
	step := app.NewStep(app.NewStatusLine(x.r.Stderr, !x.r.flags.quiet && x.r.ShowsStatus()), "reading nodes and pods", 0)
	up, err := live.Upkeep(ctx)
	step.Done()
	if err != nil {
		return err
	}
	for _, u := range up.Unread {
		x.r.addUnreadable(live.Name, u.Error())
	}
	for _, text := range up.Objects {
		root, err := wire.JSON(text)
		if err != nil {
			return err // not possible, because Upkeep has just encoded the text
		}
		meta := root.Get("metadata")
		x.check(&seen.Object{
			Ref: rules.ObjectRef{
				APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
				Namespace: meta.Get("namespace").StringOr(""), Name: meta.Get("name").StringOr(""),
			},
			Root: root, Live: true,
			Place: func(wire.Pos) upgrade.Evidence { return upgrade.Evidence{Source: "cluster", File: live.Name} },
		})
	}
	return nil
}

func (x *objectChecks) check(o *seen.Object) {
	for _, c := range x.all {
		c.See(o)
	}
}

// finish adds the facts of all checks to the run. looked is a text about what the checks
// have examined. gaps are texts about what they could not examine.
func (x *objectChecks) finish(owners *objectOwners) (looked string, gaps []string) {
	ignored, comments := 0, comments{path: x.r.Path, files: map[string]*manifestlint.Suppressions{}}
	for _, c := range x.all {
		for _, f := range c.Facts() {
			if comments.suppresses(&f) {
				ignored++
				continue
			}
			x.setDefaultOwner(&f)
			if f.Evidence.Source == "cluster" && f.Evidence.Text == "" {
				f.Evidence.Text = "as it is now"
			}
			found := rules.Finding{File: f.Evidence.File}
			if f.Ref.Kind != "" {
				found.Object = &f.Ref
			}
			owners.setOwner(&f, &found, x.r.Path)
			x.r.facts = append(x.r.facts, f)
		}
	}
	var parts []string
	for _, c := range x.all {
		if c, ok := c.(interface{ Looked() string }); ok && c.Looked() != "" {
			parts = append(parts, c.Looked())
		}
		if c, ok := c.(interface{ Gaps() []string }); ok {
			gaps = append(gaps, c.Gaps()...)
		}
	}
	if ignored > 0 {
		parts = append(parts, report.Count(ignored, "observation")+" suppressed by comments")
	}
	return strings.Join(parts, "; "), gaps
}

// setDefaultOwner sets the owner of a fact that has no owner yet.
func (x *objectChecks) setDefaultOwner(f *upgrade.Fact) {
	switch {
	case f.OwnerKind != "":
	case f.Evidence.Source == "cluster":
		f.OwnerKind, f.OwnerName = "cluster", x.live
		if f.Ref.Namespace != "" {
			f.OwnerKind, f.OwnerName = "namespace", f.Ref.Namespace
		}
	default:
		f.OwnerKind, f.OwnerName = "manifest", directoryOwner(f.Evidence.File)
		if f.Evidence.File != "-" {
			x.r.setTeam(f, f.Evidence.File)
		}
	}
}
